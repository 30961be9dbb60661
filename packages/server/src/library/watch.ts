import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/database.js'
import { isDatabaseAway } from '../db/violation.js'
import { explainHeldUp, usualWaitingPatience, type WaitingPatience } from '../films/waiting.js'
import type { StoreTrouble } from '../media-segments/media-parts.js'
import { type Job, type JobLine, lineOf } from '../queue/job.js'
import { type LivingWorkers, type QueuedJobs, readQueue, readWorkers } from '../queue/queue-state.js'
import { type DiskFolders, type DiskSpace, diskTrouble, readDisks } from '../storage/disks.js'

/** Something that the operator should know: what is wrong, since when, and what to do. */
export interface KnownTrouble {
  readonly about: string
  readonly sentence: string
}

/** Looks every few seconds whether anything is wrong that nobody has asked about. */
export interface Watch {
  /** What is wrong, as far as the last look showed. Never waits. */
  seen(): readonly KnownTrouble[]
  /** Looks now. */
  look(): Promise<readonly KnownTrouble[]>
  /** Looks every few seconds until the end, logs what changes, and writes into the records of films what they wait for. */
  keepLooking(log: WatchLog, signal: AbortSignal): Promise<void>
}

interface WatchLog {
  warn(facts: object, message: string): void
  info(facts: object, message: string): void
}

interface WatchOptions {
  readonly database: Pick<Database, 'db'>
  readonly jobs: readonly Pick<Job, 'name' | 'isBackground' | 'waits'>[]
  readonly store: StoreTrouble
  readonly disks: DiskFolders
  /** What other parts know, and log themselves. */
  readonly others?: () => readonly KnownTrouble[]
  readonly patience?: WaitingPatience
}

const lookEveryMs = 5000
/** A look takes at most this share of the time. */
const share = 20

export function openWatch({
  database: { db },
  jobs,
  store,
  disks,
  others = () => [],
  patience = usualWaitingPatience,
}: WatchOptions): Watch {
  const lines = new Map(jobs.map((job) => [job.name, lineOf(job)]))
  /** Since when there are due jobs in a line, and nobody has any of them in hand. */
  const idleSince = new Map<JobLine, number>()
  let onDisks: readonly KnownTrouble[] = []
  let inQueue: readonly KnownTrouble[] = []
  /** Undefined while that is unknown. */
  let unserved: readonly string[] | undefined

  /** The kinds of jobs that nobody has taken for a while. */
  function unservedIn(queue: readonly QueuedJobs[]): string[] {
    const now = performance.now()
    for (const line of new Set(lines.values())) {
      const ofLine = queue.filter(({ job }) => lines.get(job) === line)
      const isServed = ofLine.some(({ running }) => running > 0) || ofLine.every(({ due }) => due === 0)
      if (isServed) idleSince.delete(line)
      else idleSince.set(line, idleSince.get(line) ?? now)
    }
    const isUnserved = (line: JobLine) =>
      now - (idleSince.get(line) ?? now) >= patience.unservedSeconds * 1000 && idleSince.has(line)
    return [...lines].filter(([, line]) => isUnserved(line)).map(([name]) => name)
  }

  async function lookAtQueue(): Promise<readonly KnownTrouble[]> {
    const [queue, workers] = await Promise.all([readQueue(db), readWorkers(db)])
    const names = unservedIn(queue)
    unserved = names
    const waiting = queue.filter(({ job }) => names.includes(job))
    const troubles = [queueTrouble(waiting, workers), outageTrouble(queue, patience)]
    return troubles.filter((each) => each !== undefined)
  }

  async function look(): Promise<readonly KnownTrouble[]> {
    onDisks = (await readDisks(disks)).flatMap(troubleOf)
    try {
      const looks = await Promise.all([lookAtQueue(), store.look()])
      inQueue = looks[0]
    } catch (error) {
      // An unreachable database is reported where it is used. Workers may have lost it too, and get time to return.
      inQueue = []
      unserved = undefined
      idleSince.clear()
      throw error
    }
    return seen()
  }

  const ours = () => {
    const sentence = store.seen()
    return [...(sentence ? [{ about: 'storage', sentence }] : []), ...onDisks, ...inQueue]
  }
  const seen = () => [...ours(), ...others()]

  /** At the beginning, too: there may be reasons that this server gave before it was restarted. */
  let mayHaveReasons = true
  async function explain(): Promise<void> {
    if (unserved === undefined) return
    if (inQueue.length > 0 || mayHaveReasons) await explainHeldUp(db, unserved, patience)
    mayHaveReasons = inQueue.length > 0
  }

  return {
    seen,
    look,
    async keepLooking(log, signal) {
      const tell = tellChanges(log)
      while (!signal.aborted) {
        const begun = performance.now()
        try {
          await look()
          tell(ours())
          await explain()
        } catch (err) {
          if (!isDatabaseAway(err)) log.warn({ err }, 'work in the background failed; it will be tried again')
        }
        const pause = Math.max(lookEveryMs, share * (performance.now() - begun))
        await delay(pause, undefined, { signal, ref: false }).catch(() => {})
      }
    },
  }
}

/** Logs what is new, and what is over. */
function tellChanges(log: WatchLog): (troubles: readonly KnownTrouble[]) => void {
  let known: readonly KnownTrouble[] = []
  // Figures in the other sentences change all the time.
  const isIn = (list: readonly KnownTrouble[], { about, sentence }: KnownTrouble) =>
    list.some((each) => each.about === about && (about !== 'storage' || each.sentence === sentence))
  return (troubles) => {
    for (const trouble of troubles)
      if (!isIn(known, trouble)) log.warn({ about: trouble.about }, trouble.sentence)
    for (const { about, sentence } of known.filter((trouble) => !isIn(troubles, trouble)))
      log.info({ about }, `This is over: ${sentence}`)
    known = troubles
  }
}

function troubleOf(disk: DiskSpace): KnownTrouble[] {
  const sentence = diskTrouble(disk)
  return sentence ? [{ about: `disk ${disk.folder}`, sentence }] : []
}

const moment = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** What to do about workers that take no jobs. */
function remedyFor({ alive, encoding }: LivingWorkers): string {
  if (alive === 0)
    return 'No worker is running, or all of them hang. Set WORKERS to 1 or more, or run `zoetrope worker`.'
  if (encoding === 0) return 'No worker has ffmpeg. Install it where workers run.'
  return 'Workers are running, but take no jobs. Their log may say why; restart them.'
}

function queueTrouble(waiting: readonly QueuedJobs[], workers: LivingWorkers): KnownTrouble | undefined {
  const count = waiting.reduce((sum, { due }) => sum + due, 0)
  if (count === 0) return undefined
  const since = new Date(Math.min(...waiting.flatMap(({ due_since }) => due_since?.getTime() ?? [])))
  const jobs = count === 1 ? '1 job waits' : `${count} jobs wait`
  return {
    about: 'queue',
    sentence: `${jobs} since ${moment(since)}, and nobody takes them: films are not processed, mails not sent. ${remedyFor(workers)}`,
  }
}

/** Films wait for a storage that refuses what is written to it, although it may answer other requests. */
function outageTrouble(
  queue: readonly QueuedJobs[],
  { outageSeconds }: WaitingPatience,
): KnownTrouble | undefined {
  const times = queue.flatMap(({ held_up_since }) => held_up_since?.getTime() ?? [])
  const since = Math.min(...times)
  if (times.length === 0 || Date.now() - since < outageSeconds * 1000) return undefined
  return {
    about: 'waiting',
    sentence: `Films have waited for the media storage since ${moment(new Date(since))}: it refuses what is written to it, is full, or does not answer. The log says why. They go on by themselves when it works again.`,
  }
}
