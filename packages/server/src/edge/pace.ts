import type { Readable } from 'node:stream'
import { setImmediate as otherRequests } from 'node:timers/promises'

/** Runs one slice of the work on a body when its turn has come. */
export type Pace = <T>(slice: () => Promise<T> | T) => Promise<T>

/** For bodies so small that nobody notices the work. */
export const atOnce: Pace = async (slice) => slice()

/** Lets other requests come in between two slices. */
export const betweenRequests: Pace = async (slice) => {
  await otherRequests()
  return slice()
}

/** How much of the time a shared pace may take. */
interface PaceBounds {
  /** Milliseconds of rest for each millisecond of work. */
  readonly restPerWork: number
  /** Milliseconds of work that may be done before the first rest. */
  readonly burstMs: number
}

/**
 * Runs the slices of many bodies one at a time, the oldest first, with other requests in between, and rests when they have
 * taken more than their share of the time. However many bodies arrive, most of the time is left for other requests.
 */
export function createSharedPace({ restPerWork, burstMs }: PaceBounds, now = () => performance.now()): Pace {
  const waiting = new Set<() => void>()
  let isScheduled = false
  /** Milliseconds of work that may be done now; negative after a long slice. */
  let credit = burstMs
  let creditAt = now()

  function runNext(): void {
    isScheduled = false
    const begun = now()
    credit = Math.min(burstMs, credit + (begun - creditAt) / restPerWork)
    creditAt = begun
    const [run] = waiting
    if (run && credit > 0) {
      waiting.delete(run)
      run()
      creditAt = now()
      credit -= creditAt - begun
    }
    schedule()
  }
  function schedule(): void {
    if (isScheduled || waiting.size === 0) return
    isScheduled = true
    if (credit > 0) setImmediate(runNext)
    else setTimeout(runNext, -credit * restPerWork)
  }
  return (slice) =>
    new Promise((resolve, reject) => {
      waiting.add(() => {
        try {
          resolve(slice())
        } catch (error) {
          reject(error)
        }
      })
      schedule()
    })
}

/**
 * Reads a stream a little at a time: Node would read up to two megabytes of one connection before it turns to the next. What
 * has arrived, at most some 64 kB, is taken in one slice; only then is more received. The result stops reading.
 */
export function readGently(stream: Readable, pace: Pace, take: (piece: Buffer) => void): () => void {
  let isOver = false
  let isWaiting = false
  const takeSome = () => {
    isWaiting = false
    for (let piece = nextPiece(); piece !== null; piece = nextPiece()) take(piece)
  }
  // Reading to the end also makes the stream report that it has ended.
  const nextPiece = (): Buffer | null => (isOver ? null : stream.read())
  const onReadable = () => {
    if (isWaiting) return
    isWaiting = true
    void pace(takeSome)
  }
  stream.on('readable', onReadable)
  return () => {
    isOver = true
    stream.off('readable', onReadable)
  }
}
