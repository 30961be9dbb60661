import { useRef, useState } from 'react'
import { useChangeVideos } from '../../../data/change-videos.js'
import type { Video } from '../../../data/records.js'
import {
  type Change,
  type Failure,
  inPieces,
  joined,
  nothingDone,
  type Settled,
  sendWrites,
  together,
} from '../../../data/send-writes.js'
import { useSession } from '../../../data/session.js'
import { offerUndo, sayDone, sayFailed } from '../../../ui/notices.js'
import { changesFor, type Edit } from './edits.js'
import { strings } from './strings.js'

type Outcome = Settled<Video>

export interface Apply {
  readonly state: 'idle' | 'trying' | 'tried' | 'changing' | 'changed' | 'undoing' | 'undone'
  readonly progress: { readonly done: number; readonly all: number }
  /** What was changed, or would be. */
  readonly changes: readonly Change<Video>[]
  readonly failures: readonly Failure<Video>[]
  /** How many videos were left when the user stopped it. */
  readonly left: number
  /** Asks the API what the edits would change, without changing anything. */
  preview(videos: readonly Video[]): Promise<void>
  run(videos: readonly Video[]): Promise<void>
  undo(): Promise<void>
  /** Offers the undo in a notice, which stays when the dialog is closed. */
  offerUndo(): void
  stop(): void
}

/**
 * Applies the edits to videos, and undoes them. Each video is read again just before, so that others' changes stay: one
 * request reads a hundred videos, and another one changes them.
 */
export function useApply(edits: readonly Edit[]): Apply {
  const { client } = useSession()
  const { settle, undo } = useChangeVideos()
  const [state, setState] = useState<Apply['state']>('idle')
  const [progress, setProgress] = useState({ done: 0, all: 0 })
  const [outcome, setOutcome] = useState<Outcome>(nothingDone)
  const [left, setLeft] = useState(0)
  const isStopped = useRef(false)
  const note = (done: number, all: number) => setProgress({ done, all })

  const sendSome = async (videos: readonly Video[], isTrial: boolean): Promise<Outcome> => {
    try {
      const id = videos.map(({ _id }) => _id)
      const { response } = await client.videos.list({ id, active: 'all', per_page: together })
      const writes = response.flatMap((item) => {
        const video = changesFor(item, edits)
        return video ? [{ item, method: 'PUT', path: `/videos/${item._id}`, body: { video } } as const] : []
      })
      const found = new Set(response.map(({ _id }) => _id))
      const gone = videos.filter(({ _id }) => !found.has(_id))
      const failures = gone.map((item) => ({ item, error: new Error(strings.gone) }))
      return joined({ ...nothingDone, failures }, await sendWrites(client, writes, { isTrial }))
    } catch (error) {
      return { ...nothingDone, failures: videos.map((item) => ({ item, error })) }
    }
  }

  const sendAll = async (videos: readonly Video[], isTrial: boolean): Promise<Outcome> => {
    let sum: Outcome = nothingDone
    let passed = 0
    isStopped.current = false
    note(0, videos.length)
    for (const piece of inPieces(videos)) {
      if (isStopped.current) break
      sum = joined(sum, await sendSome(piece, isTrial))
      passed += piece.length
      note(passed, videos.length)
    }
    setLeft(videos.length - passed)
    return sum
  }

  return {
    state,
    progress,
    changes: outcome.done,
    failures: outcome.failures,
    left,
    async preview(videos) {
      setState('trying')
      setOutcome(await sendAll(videos, true))
      setState('tried')
    },
    async run(videos) {
      const before = state === 'changed' ? { ...outcome, failures: [] } : nothingDone
      setState('changing')
      setOutcome(joined(before, await settle(sendAll(videos, false))))
      setState('changed')
    },
    async undo() {
      setState('undoing')
      note(0, outcome.events.length)
      const { failures } = await undo(outcome.events, note)
      const failed = new Set(failures.map(({ item }) => item._id))
      const done = outcome.done.filter(({ item }) => !failed.has(item._id))
      setOutcome({ ...nothingDone, done, failures })
      setState('undone')
    },
    offerUndo() {
      const { done, events } = outcome
      if (state !== 'changed' || done.length === 0) return
      offerUndo(strings.changed(done.length), async () => {
        const { failures } = await undo(events)
        if (failures.length > 0) sayFailed(strings.notRestored(failures.length), failures[0]?.error)
        else sayDone(strings.undone(done.length))
      })
    },
    stop() {
      isStopped.current = true
    },
  }
}
