import { useState } from 'react'

export interface Selection {
  readonly ids: ReadonlySet<string>
  toggle(id: string, isSelected: boolean): void
  /** Selects all of these, or none. */
  toggleAll(ids: readonly string[], isSelected: boolean): void
  clear(): void
}

/** The selected records. The selection persists across pages. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const toggleAll = (some: readonly string[], isSelected: boolean) =>
    setIds((old) => {
      const next = new Set(old)
      for (const id of some) {
        if (isSelected) next.add(id)
        else next.delete(id)
      }
      return next
    })
  return {
    ids,
    toggle: (id, isSelected) => toggleAll([id], isSelected),
    toggleAll,
    clear: () => setIds(new Set()),
  }
}
