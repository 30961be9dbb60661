import { useMemo, useRef } from 'react'
import type { Video } from '../../data/records.js'
import type { Between, Selection } from '../../ui/resource-table/use-selection.js'
import type { Bulk } from './use-bulk.js'

/** Actions on one video in the list. */
export interface OneActions extends Pick<Bulk, 'setActive' | 'remove'> {
  /** With `isRange`, all from the video that was changed last. */
  toggle(id: string, isSelected: boolean, isRange: boolean): void
}

export interface OneProps {
  readonly video: Video
  readonly isSelected: boolean
  readonly actions: OneActions
}

/** Returns the same object on every render, so that rows do not redraw. */
export function useActions(selection: Selection, bulk: Bulk, between: Between): OneActions {
  const now = useRef({ selection, bulk, between })
  now.current = { selection, bulk, between }
  return useMemo(
    () => ({
      toggle(id, isSelected, isRange) {
        const { selection, between } = now.current
        selection.toggle(id, isSelected, isRange ? between : undefined)
      },
      setActive: (videos, active) => now.current.bulk.setActive(videos, active),
      remove: (videos) => now.current.bulk.remove(videos),
    }),
    [],
  )
}
