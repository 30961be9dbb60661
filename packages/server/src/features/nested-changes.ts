import type { Body } from '../resources/feature.js'

/** What becomes of the things in a list. */
interface Carrying {
  readonly create: (fields: Body) => Promise<unknown>
  readonly change: (id: string, fields: Body) => Promise<unknown>
  readonly remove: (id: string) => Promise<unknown>
}

/** Carries out changes to a list, in their order: with an id one is changed, without it one is made, with `_destroy` one is removed. */
export async function carryOut(changes: unknown, { create, change, remove }: Carrying): Promise<void> {
  for (const { id, _id, _destroy, ...fields } of (changes ?? []) as readonly Body[]) {
    const named = id ?? _id
    if (typeof named !== 'string') {
      if (!_destroy) await create(fields)
    } else if (_destroy) await remove(named)
    else await change(named, fields)
  }
}
