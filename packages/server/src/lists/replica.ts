import { type Database, type DatabaseOptions, openDatabase } from '../db/database.js'
import { violation } from '../db/violation.js'
import { whileAlive } from '../lib/while-alive.js'

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

/** A list takes a few milliseconds. A search may take long, while the replica answers something else. */
const patience = { slowMs: 2000, answerMs: 2000, patienceMs: 30_000 }
/** Replicas are always a little behind. */
const tolerableLagMs = 10_000
/** How long a replica that is in trouble is left alone. */
const pauseMs = 1000

const away = 'DATABASE_REPLICA_URL cannot be reached. Lists are read from DATABASE_URL meanwhile.'
const late = 'The server of DATABASE_REPLICA_URL is behind. Lists are read from DATABASE_URL meanwhile.'

/** Thrown and caught here. */
class Silent extends Error {}

export function openReplica({ onChange, ...options }: ReplicaOptions): Replica {
  const database = openDatabase({ ...options, isReadOnly: true })
  let trouble: string | undefined
  let nextTry = 0
  let behindSince: number | undefined
  let lastBehind = 0

  const note = (seen: string | undefined) => {
    if (seen !== undefined) nextTry = Date.now() + pauseMs
    if (seen === trouble) return
    trouble = seen
    onChange(seen)
  }

  /** It lacks a change or a table that is there by now, or was changing what was read. */
  const noteBehind = () => {
    const now = Date.now()
    if (behindSince === undefined || now - lastBehind > tolerableLagMs) behindSince = now
    lastBehind = now
    if (now - behindSince > tolerableLagMs) note(late)
    return undefined
  }

  /** False for what the database would refuse too. */
  const isNoted = (error: unknown): boolean => {
    const kind = violation(error)
    if (kind === 'bad_value' || kind === 'too_slow') return false
    if (error instanceof Silent || kind === 'unavailable' || kind === 'interrupted') note(away)
    else noteBehind()
    return true
  }

  /** While it is in trouble, one request now and then looks whether it is back; all others go on with the database. */
  const isLeftAlone = () => {
    if (trouble === undefined) return false
    if (Date.now() < nextTry) return true
    nextTry = Date.now() + pauseMs
    return false
  }

  return {
    async read(work) {
      if (isLeftAlone()) return undefined
      try {
        const found = await whileAlive(database, work(database), () => new Silent(), patience)
        if (found === undefined) return noteBehind()
        behindSince = undefined
        note(undefined)
        return found
      } catch (error) {
        if (!isNoted(error)) throw error
        return undefined
      }
    },
    trouble: () => trouble,
    close: () => database.close(),
  }
}
