import { useState } from 'react'
import { useChangeVideos } from '../../data/change-videos.js'
import type { Settled } from '../../data/send-writes.js'
import { useSession } from '../../data/session.js'
import { endJoined, sayDone, sayFailed } from '../../ui/notices.js'
import { useTrashNotice } from '../../ui/use-trash-notice.js'
import { strings } from './strings.js'

type Progress = { readonly done: number; readonly all: number }

/** Restores deleted videos, or deletes them for good. */
export function useTrash() {
  const { client } = useSession()
  const { restore, purge } = useChangeVideos()
  const [progress, setProgress] = useState<Progress>()
  const note = (done: number, all: number) => setProgress({ done, all })
  const offerUndo = useTrashNotice()
  const settle = async (changing: Promise<Settled>): Promise<Settled> => {
    const settled = await changing.finally(() => setProgress(undefined))
    const { failures } = settled
    if (failures.length > 0) sayFailed(strings.failed(failures.length), failures[0]?.error)
    return settled
  }
  return {
    /** Set while an action is running. */
    progress,
    async restore(ids: readonly string[]): Promise<void> {
      const { done, events } = await settle(restore(ids, note))
      if (done.length > 0) offerUndo('restored', { count: done.length, events })
    },
    async purge(ids: readonly string[]): Promise<void> {
      const { done } = await settle(purge(ids, note))
      if (done.length === 0) return
      // The notice would offer to undo what cannot be undone any more.
      endJoined('deleted')
      sayDone(strings.purged(done.length))
    },
    /** The ids of all deleted videos. */
    async findAll(): Promise<readonly string[]> {
      const ids: string[] = []
      const query = { deleted: true, active: 'all', per_page: 100, response_fields: ['_id'] } as const
      for await (const { _id } of client.videos.all(query)) ids.push(_id)
      return ids
    },
  }
}
