import { useMemo, useRef } from 'react'
import type { Video } from '../../data/records.js'
import type { Selection } from '../../ui/resource-table/use-selection.js'
import type { Bulk } from './use-bulk.js'

/** What can be done with one video in the list. */
export interface OneActions extends Pick<Bulk, 'setActive' | 'remove' | 'restore'> {
  readonly toggle: Selection['toggle']
}

export interface OneProps {
  readonly video: Video
  readonly isSelected: boolean
  readonly actions: OneActions
}

/** The same object as long as the list is shown, so that rows need not be drawn again. */
export function useActions(selection: Selection, bulk: Bulk): OneActions {
  const now = useRef({ selection, bulk })
  now.current = { selection, bulk }
  return useMemo(
    () => ({
      toggle: (id, isSelected) => now.current.selection.toggle(id, isSelected),
      setActive: (videos, active) => now.current.bulk.setActive(videos, active),
      remove: (videos) => now.current.bulk.remove(videos),
      restore: (videos) => now.current.bulk.restore(videos),
    }),
    [],
  )
}
