import { useRef, useState } from 'react'
import { type Failure, forEach, useChangeVideos } from '../../../data/change-videos.js'
import { looseCalls } from '../../../data/plain.js'
import type { Video } from '../../../data/records.js'
import { useSession } from '../../../data/session.js'
import { changesFor, type Edit, wayBack } from './edits.js'

interface Changed {
  readonly before: Video
  readonly now: Video
}

export interface Apply {
  readonly state: 'idle' | 'changing' | 'undoing' | 'changed' | 'undone'
  readonly progress: { readonly done: number; readonly all: number }
  readonly changed: readonly Changed[]
  readonly failures: readonly Failure<Video>[]
  /** How many videos were left when the user stopped it. */
  readonly left: number
  run(videos: readonly Video[]): Promise<void>
  undo(): Promise<void>
  stop(): void
}

/** Applies the edits to each video, and undoes them. Each video is read again first, so that others' changes stay. */
export function useApply(edits: readonly Edit[]): Apply {
  const { client } = useSession()
  const { update } = looseCalls(client, 'videos')
  const { settle } = useChangeVideos()
  const [state, setState] = useState<Apply['state']>('idle')
  const [progress, setProgress] = useState({ done: 0, all: 0 })
  const [changed, setChanged] = useState<readonly Changed[]>([])
  const [failures, setFailures] = useState<readonly Failure<Video>[]>([])
  const [left, setLeft] = useState(0)
  const isStopped = useRef(false)
  const note = (done: number, all: number) => setProgress({ done, all })

  const change = async (video: Video, into: Changed[]) => {
    const before = await client.videos.get(video._id)
    const changes = changesFor(before, edits)
    if (changes) into.push({ before, now: await update(video._id, changes) })
  }

  return {
    state,
    progress,
    changed,
    failures,
    left,
    async run(videos) {
      const made: Changed[] = []
      let passed = 0
      isStopped.current = false
      setState('changing')
      note(0, videos.length)
      const one = async (video: Video) => {
        if (isStopped.current) passed += 1
        else await change(video, made)
      }
      const result = await settle(forEach(videos, one, note))
      setChanged((old) => [...old, ...made])
      setFailures(result.failures)
      setLeft(passed)
      setState('changed')
    },
    async undo() {
      setState('undoing')
      note(0, changed.length)
      const back = ({ before, now }: Changed) => update(before._id, wayBack(before, now, edits))
      const result = await settle(forEach(changed, back, note))
      setFailures(result.failures.map(({ item, error }) => ({ item: item.before, error })))
      setChanged(result.done)
      setState('undone')
    },
    stop() {
      isStopped.current = true
    },
  }
}
