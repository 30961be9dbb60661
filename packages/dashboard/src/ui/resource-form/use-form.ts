import { type Field, type Resource, writableFields } from '@zoetrope/contract'
import { ZoetropeError } from '@zoetrope/sdk'
import { useMemo, useState } from 'react'
import { problemOf } from './problems.js'
import { changesBetween, type Values, valuesOf } from './values.js'

type Problems = Readonly<Record<string, string | undefined>>

export interface FormState {
  readonly values: Values
  readonly changes: Values
  readonly isDirty: boolean
  /** What is wrong with each field that somebody touched, or tried to save. */
  readonly problems: Problems
  set(name: string, value: unknown): void
  reset(): void
  /** Whether it may be sent; if not, every problem shows. */
  check(): boolean
  /** Puts what the server said to the fields it is about. */
  takeError(error: unknown): void
}

/** What a form holds: the record's values, and what was changed in them. */
export function useForm(resource: Resource, record: Values | undefined, starting?: Values): FormState {
  const fields = useMemo(() => writableFields(resource), [resource])
  const before = useMemo(() => valuesOf(fields, record), [fields, record])
  const [changed, setChanged] = useState<Values>(starting ?? {})
  const [said, setSaid] = useState<Problems>({})
  const [isAsked, setIsAsked] = useState(false)
  const values = { ...before, ...changed }
  const changes = changesBetween(record ? before : {}, record ? values : { ...starting, ...changed })
  const found = (onlyTouched: boolean) =>
    problemsOf(fields, values, record === undefined, onlyTouched ? changed : values)
  return {
    values,
    changes,
    isDirty: Object.keys(changesBetween(before, values)).length > 0,
    problems: { ...said, ...found(!isAsked) },
    set(name, value) {
      setChanged((old) => ({ ...old, [name]: value }))
      setSaid((old) => ({ ...old, [name]: undefined }))
    },
    reset() {
      setChanged({})
      setSaid({})
      setIsAsked(false)
    },
    check() {
      setIsAsked(true)
      return Object.keys(found(false)).length === 0
    },
    takeError(error) {
      if (!(error instanceof ZoetropeError)) return
      const entries = Object.entries(error.errors).map(([name, sentences]) => {
        const sentence = sentences.join(' ')
        return [fieldOf(fields, name, sentence), sentence] as const
      })
      setSaid(Object.fromEntries(entries))
    },
  }
}

/** The field that an error is about: the one it has the name of, else the first that its sentence names as the API does. */
function fieldOf(fields: readonly (readonly [string, Field])[], name: string, sentence: string): string {
  const isField = (word: string) => fields.some(([field]) => field === word)
  if (isField(name)) return name
  return sentence.match(/[a-z]+(_[a-z]+)+/g)?.find(isField) ?? name
}

function problemsOf(
  fields: readonly (readonly [string, Field])[],
  values: Values,
  isNew: boolean,
  among: Values,
): Problems {
  const entries = fields
    .filter(([name]) => name in among)
    .map(([name, field]) => [name, problemOf(field, values[name], isNew)] as const)
    .filter(([, problem]) => problem !== undefined)
  return Object.fromEntries(entries)
}
