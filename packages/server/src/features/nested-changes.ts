/** The fields of a change that say which item it is about. */
export interface NestedChange {
  readonly id?: string | null
  readonly _id?: string | null
  readonly _destroy?: boolean
}

/** Handlers for changes to the items of a list. */
interface Carrying<F> {
  readonly create: (fields: F) => Promise<unknown>
  readonly change: (id: string, fields: F) => Promise<unknown>
  readonly remove: (id: string) => Promise<unknown>
}

/** Applies changes to a list in order. An id updates an item, `_destroy` with an id removes it, no id creates one. */
export async function carryOut<C extends NestedChange>(
  changes: readonly C[],
  { create, change, remove }: Carrying<Omit<C, keyof NestedChange>>,
): Promise<void> {
  for (const { id, _id, _destroy, ...fields } of changes) {
    const named = id ?? _id
    if (typeof named !== 'string') {
      if (!_destroy) await create(fields)
    } else if (_destroy) await remove(named)
    else await change(named, fields)
  }
}
