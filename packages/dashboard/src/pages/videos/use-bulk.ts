import { useState } from 'react'
import { type Settled, useChangeVideos } from '../../data/change-videos.js'
import type { Video } from '../../data/records.js'
import { offerUndo, sayDone, sayFailed } from '../../ui/notices.js'
import { strings } from './strings.js'

/** The progress of a long operation. */
export interface Progress {
  readonly done: number
  readonly all: number
}

/** Actions on several videos. Each reports its result and can be undone. */
export function useBulk() {
  const { setActive, remove, restore } = useChangeVideos()
  const [progress, setProgress] = useState<Progress>()
  const note = (done: number, all: number) => setProgress({ done, all })

  const tell = async (
    changing: Promise<Settled>,
    words: (count: number) => string,
    undo: (ids: readonly string[]) => Promise<Settled>,
  ) => {
    const { done, failures } = await changing.finally(() => setProgress(undefined))
    if (failures.length > 0) sayFailed(strings.failed(failures.length), failures[0]?.error)
    if (done.length + failures.length === 0) sayDone(strings.already)
    if (done.length === 0) return
    offerUndo(words(done.length), async () => {
      const { failures: left } = await undo(done).finally(() => setProgress(undefined))
      if (left.length > 0) sayFailed(strings.failed(left.length), left[0]?.error)
      else sayDone(strings.undone)
    })
  }

  return {
    /** Set while an action is running. */
    progress,
    /** Changes only videos in the other state, so that the undo affects no others. */
    setActive(videos: readonly Video[], active: boolean) {
      const ids = videos.filter((video) => video.active !== active).map(({ _id }) => _id)
      return tell(setActive(ids, active, note), active ? strings.published : strings.unpublished, (done) =>
        setActive(done, !active, note),
      )
    },
    remove: (videos: readonly Video[]) =>
      tell(
        remove(
          videos.map(({ _id }) => _id),
          note,
        ),
        strings.deleted,
        (done) => restore(done, note),
      ),
  }
}

export type Bulk = ReturnType<typeof useBulk>
