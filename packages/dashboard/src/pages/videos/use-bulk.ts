import { useChangeVideos } from '../../data/change-videos.js'
import type { Video } from '../../data/records.js'
import { offerUndo, sayDone, sayFailed } from '../../ui/notices.js'
import { strings } from './strings.js'

/** What can be done with several videos; each tells what it did and can be taken back. */
export function useBulk() {
  const { setActive, remove, restore } = useChangeVideos()

  const tell = async (
    changing: Promise<{ readonly done: readonly string[]; readonly failures: readonly unknown[] }>,
    words: (count: number) => string,
    undo: (ids: readonly string[]) => Promise<unknown>,
  ) => {
    const { done, failures } = await changing
    if (failures.length > 0) sayFailed(strings.failed(failures.length), failures[0])
    if (done.length > 0)
      offerUndo(words(done.length), () => void undo(done).then(() => sayDone(strings.undone)))
  }

  return {
    /** Only those that are not so already, so that undoing touches no others. */
    setActive(videos: readonly Video[], active: boolean) {
      const ids = videos.filter((video) => video.active !== active).map(({ _id }) => _id)
      return tell(setActive(ids, active), active ? strings.published : strings.unpublished, (done) =>
        setActive(done, !active),
      )
    },
    remove: (videos: readonly Video[]) =>
      tell(remove(videos.map(({ _id }) => _id)), strings.deleted, (done) => restore(done)),
  }
}

export type Bulk = ReturnType<typeof useBulk>
