import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useChangeVideos } from '../../data/change-videos.js'
import { keyOf } from '../../data/keys.js'
import { addToPlaylist, removeFromPlaylist } from '../../data/playlist-videos.js'
import type { Entry, Video } from '../../data/records.js'
import type { Settled } from '../../data/send-writes.js'
import { useClient } from '../../data/session.js'
import { offerUndo, sayDone, sayFailed } from '../../ui/notices.js'
import { useTrashNotice } from '../../ui/use-trash-notice.js'
import { strings } from './strings.js'

/** The progress of a long operation. */
export interface Progress {
  readonly done: number
  readonly all: number
}

type Playlist = Pick<Entry<'playlists'>, '_id' | 'title'>

/** Actions on several videos. Each reports its result and can be undone. */
export function useBulk() {
  const { setActive, remove, undo } = useChangeVideos()
  const client = useClient()
  const queries = useQueryClient()
  const [progress, setProgress] = useState<Progress>()
  const note = (done: number, all: number) => setProgress({ done, all })

  const offerRestore = useTrashNotice((done, all) => setProgress(done < all ? { done, all } : undefined))

  const settle = async (changing: Promise<Settled>): Promise<Settled> => {
    const settled = await changing.finally(() => setProgress(undefined))
    const { failures } = settled
    if (failures.length > 0) sayFailed(strings.failed(failures.length), failures[0]?.error)
    return settled
  }

  const tell = async (changing: Promise<Settled>, words: (count: number) => string) => {
    const { done, failures, events } = await settle(changing)
    if (done.length + failures.length === 0) sayDone(strings.already)
    if (done.length === 0) return
    offerUndo(words(done.length), async () => {
      const { failures: left } = await undo(events, note).finally(() => setProgress(undefined))
      if (left.length > 0) sayFailed(strings.failed(left.length), left[0]?.error)
      else sayDone(strings.undone)
    })
  }

  const renewPlaylists = async () => {
    for (const name of ['videos', 'playlists', 'playlist-videos'] as const)
      await queries.invalidateQueries({ queryKey: keyOf(name) })
  }

  const takeOut = async ({ _id }: Playlist, ids: readonly string[]) => {
    try {
      await removeFromPlaylist(client, _id, ids)
      sayDone(strings.undone)
    } catch (error) {
      sayFailed(strings.notUndone, error)
    }
    await renewPlaylists()
  }

  return {
    /** Set while an action is running. */
    progress,
    /** Changes only videos in the other state. */
    setActive(videos: readonly Video[], active: boolean) {
      const ids = videos.filter((video) => video.active !== active).map(({ _id }) => _id)
      return tell(setActive(ids, active, note), active ? strings.published : strings.unpublished)
    },
    async addToPlaylist(videos: readonly Video[], playlist: Playlist) {
      const ids = videos.map(({ _id }) => _id)
      note(0, ids.length)
      const { added, already, failures } = await addToPlaylist(client, playlist._id, ids, note).finally(() =>
        setProgress(undefined),
      )
      if (failures.length > 0) sayFailed(strings.notAdded(failures.length), failures[0]?.error)
      const words = strings.added(added.length, already, playlist.title)
      if (added.length > 0) offerUndo(words, () => void takeOut(playlist, added))
      else if (already > 0) sayDone(words)
      await renewPlaylists()
    },
    async remove(videos: readonly Video[]) {
      const ids = videos.map(({ _id }) => _id)
      const { done, events } = await settle(remove(ids, note))
      if (done.length > 0) offerRestore('deleted', { count: done.length, events })
    },
  }
}

export type Bulk = ReturnType<typeof useBulk>
