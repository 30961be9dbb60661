import { useMemo, useRef } from 'react'
import type { Video } from '../../data/records.js'
import type { Selection } from '../../ui/resource-table/use-selection.js'
import type { Bulk } from './use-bulk.js'

/** Actions on one video in the list. */
export interface OneActions extends Pick<Bulk, 'setActive' | 'remove'> {
  readonly toggle: Selection['toggle']
}

export interface OneProps {
  readonly video: Video
  readonly isSelected: boolean
  readonly actions: OneActions
}

/** Returns the same object on every render, so that rows do not redraw. */
export function useActions(selection: Selection, bulk: Bulk): OneActions {
  const now = useRef({ selection, bulk })
  now.current = { selection, bulk }
  return useMemo(
    () => ({
      toggle: (id, isSelected) => now.current.selection.toggle(id, isSelected),
      setActive: (videos, active) => now.current.bulk.setActive(videos, active),
      remove: (videos) => now.current.bulk.remove(videos),
    }),
    [],
  )
}
