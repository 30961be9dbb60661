import { useChangeVideos } from '../data/change-videos.js'
import type { OnProgress, Settled } from '../data/send-writes.js'
import { endJoined, offerJoinedUndo, sayDone, sayFailed } from './notices.js'
import { strings } from './strings.js'

type Kind = 'deleted' | 'restored'

interface TrashChange extends Pick<Settled, 'events'> {
  readonly count: number
}

/** Reports videos that were moved to the trash or restored, all in one notice, with an undo button. */
export function useTrashNotice(onProgress?: OnProgress) {
  const { undo } = useChangeVideos()
  return (kind: Kind, change: TrashChange) => {
    // What the other notice reports is no longer so.
    endJoined(kind === 'deleted' ? 'restored' : 'deleted')
    offerJoinedUndo(
      kind,
      change,
      (changes) => strings.videos[kind](changes.reduce((sum, { count }) => sum + count, 0)),
      async (changes) => {
        const events = changes.flatMap((each) => each.events)
        const { failures } = await undo(events, onProgress)
        if (failures.length > 0) sayFailed(strings.notUndone, failures[0]?.error)
        else sayDone(strings.undone)
      },
    )
  }
}
