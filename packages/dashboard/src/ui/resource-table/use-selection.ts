import { useRef, useState } from 'react'

export interface Selection {
  readonly ids: ReadonlySet<string>
  /** With `between`, all from the record that was changed last to this one. */
  toggle(id: string, isSelected: boolean, between?: Between): void
  /** Selects all of these, or none. */
  toggleAll(ids: readonly string[], isSelected: boolean): void
  clear(): void
}

/** The ids from one record of the list to another, both included. */
export type Between = (from: string, to: string) => readonly string[] | Promise<readonly string[]>

/** The ids between two of these, in either direction. Only the second one if the first is not among them. */
export function idsBetween(ids: readonly string[], from: string, to: string): readonly string[] {
  const [start, end] = [ids.indexOf(from), ids.indexOf(to)]
  return start < 0 || end < 0 ? [to] : ids.slice(Math.min(start, end), Math.max(start, end) + 1)
}

/** Selects or deselects some ids. Ids that were already selected move to their position among the new ones. */
export function changedIds(
  old: ReadonlySet<string>,
  some: readonly string[],
  isSelected: boolean,
): ReadonlySet<string> {
  const next = new Set(old)
  for (const id of some) {
    next.delete(id)
    if (isSelected) next.add(id)
  }
  return next
}

/** The selected records. The selection persists across pages. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const toggleAll = (some: readonly string[], isSelected: boolean) =>
    setIds((old) => changedIds(old, some, isSelected))
  const last = useRef<string>(undefined)
  return {
    ids,
    toggle(id, isSelected, between) {
      const from = last.current
      last.current = id
      toggleAll([id], isSelected)
      if (from === undefined || !between) return
      // The records between may still have to be loaded.
      void Promise.resolve(between(from, id)).then(
        (some) => toggleAll(some, isSelected),
        () => undefined,
      )
    },
    toggleAll,
    clear: () => setIds(new Set()),
  }
}
