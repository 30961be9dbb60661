import type { Body } from '../resources/feature.js'

/** Handlers for changes to the items of a list. */
interface Carrying {
  readonly create: (fields: Body) => Promise<unknown>
  readonly change: (id: string, fields: Body) => Promise<unknown>
  readonly remove: (id: string) => Promise<unknown>
}

/** Applies changes to a list in order. An id updates an item, `_destroy` with an id removes it, no id creates one. */
export async function carryOut(changes: unknown, { create, change, remove }: Carrying): Promise<void> {
  for (const { id, _id, _destroy, ...fields } of (changes ?? []) as readonly Body[]) {
    const named = id ?? _id
    if (typeof named !== 'string') {
      if (!_destroy) await create(fields)
    } else if (_destroy) await remove(named)
    else await change(named, fields)
  }
}
