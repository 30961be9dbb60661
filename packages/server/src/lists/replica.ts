import { type Database, type DatabaseOptions, openDatabase } from '../db/database.js'
import { within } from '../lib/deadline.js'

/** A copy of the database that follows it, and that lists may be read from. */
export interface Replica {
  /**
   * Returns what `work` reads from the replica. Returns undefined if the replica cannot be reached, is too slow, or if
   * `work` returns undefined because it is behind: then the database itself has to be read.
   */
  read<T>(work: (replica: Database) => Promise<T | undefined>): Promise<T | undefined>
  /** Why the database is read instead, for the operator. Undefined while the replica is in use. */
  trouble(): string | undefined
  close(): Promise<void>
}

interface ReplicaOptions extends DatabaseOptions {
  /** Called once when the replica is no longer used, with the reason, and once when it is used again. */
  readonly onChange: (trouble: string | undefined) => void
}

/** A list takes a few milliseconds. */
const slowMs = 2000
/** Replicas are always a little behind. */
const tolerableLagMs = 10_000
/** How long a replica that is in trouble is left alone. */
const pauseMs = 1000

const away = 'DATABASE_REPLICA_URL cannot be reached. Lists are read from DATABASE_URL meanwhile.'
const late = 'The server of DATABASE_REPLICA_URL is behind. Lists are read from DATABASE_URL meanwhile.'

export function openReplica({ onChange, ...options }: ReplicaOptions): Replica {
  const database = openDatabase({ ...options, isReadOnly: true })
  let trouble: string | undefined
  let nextTry = 0
  let behindSince: number | undefined

  const note = (seen: string | undefined) => {
    if (seen !== undefined) nextTry = Date.now() + pauseMs
    if (seen === trouble) return
    trouble = seen
    onChange(seen)
  }

  return {
    async read(work) {
      if (trouble !== undefined) {
        if (Date.now() < nextTry) return undefined
        // One request looks whether it is back; all others go on with the database.
        nextTry = Date.now() + pauseMs
      }
      try {
        const found = await within(slowMs, work(database), () => new Error('The replica is too slow'))
        if (found === undefined) {
          behindSince ??= Date.now()
          if (Date.now() - behindSince > tolerableLagMs) note(late)
          return undefined
        }
        behindSince = undefined
        note(undefined)
        return found
      } catch {
        // Whatever failed there is asked again where it counts.
        note(away)
        return undefined
      }
    },
    trouble: () => trouble,
    close: () => database.close(),
  }
}
