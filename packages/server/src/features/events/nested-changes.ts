import type { Field, Resource } from '@zoetrope/contract'
import type { Body } from '../../resources/feature.js'

interface NestedRow extends Readonly<Record<string, unknown>> {
  readonly _id: string
}

const fieldOfChanges = (name: string) => `${name}_attributes`

/** Whether a list of objects is written as a list of changes to it, under another name. */
export const isWrittenAsChanges = ({ fields }: Resource, name: string): boolean =>
  fields[fieldOfChanges(name)]?.kind === 'objects'

/** The changes that make such a list what it was. Objects that are gone come back with new ids. */
export function changesToRestore({ fields }: Resource, name: string, now: unknown, past: unknown): Body {
  const changes = fields[fieldOfChanges(name)]
  const written = changes?.kind === 'objects' ? Object.keys(changes.of as Record<string, Field>) : []
  const rows = (value: unknown) => (Array.isArray(value) ? (value as NestedRow[]) : [])
  const isIn = (among: readonly NestedRow[], id: string) => among.some(({ _id }) => _id === id)
  const valuesOf = (row: NestedRow) =>
    Object.fromEntries(Object.entries(row).filter(([field]) => written.includes(field)))
  const removed = rows(now).filter(({ _id }) => !isIn(rows(past), _id))
  return {
    [fieldOfChanges(name)]: [
      ...removed.map(({ _id }) => ({ id: _id, _destroy: true })),
      ...rows(past).map((row) =>
        isIn(rows(now), row._id) ? { ...valuesOf(row), id: row._id } : valuesOf(row),
      ),
    ],
  }
}
