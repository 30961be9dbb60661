import type { Db } from '../db/database.js'
import { keepRecord, readRecord } from '../db/records.js'

const record = 'deletion_clock'
const dayMs = 24 * 3_600_000
/** So much faster it runs while it is behind. */
const catchUp = 1.1
/** The operator is told if it is further behind. A weekend without a server is nothing to tell. */
const toldMs = 2 * dayMs

interface DeletionClock {
  /** What it shows, in milliseconds. */
  readonly time: number
  /** What the clock of the database showed then. */
  readonly seen: number
}

/**
 * The time that decides what is deleted for good. It follows the clock of the database, but by at most a day at once: after a
 * clock has jumped, or no server ran for long, it is behind and catches up slowly. So no film is deleted because of a wrong
 * clock before somebody could see it.
 */
export async function deletionTime(db: Db): Promise<Date> {
  const [now, kept] = [await databaseTime(db), await readClock(db)]
  const passed = kept ? Math.max(0, now - kept.seen) * catchUp : 0
  const time = kept ? Math.min(now, kept.time + Math.min(passed, dayMs)) : now
  await keepClock(db, { time, seen: now })
  return new Date(time)
}

/** By how many days it is behind the clock of the database. */
export async function deletionDelay(db: Db): Promise<number> {
  const time = await deletionTime(db)
  return Math.round(((await databaseTime(db)) - time.getTime()) / dayMs)
}

/** Makes it show what the clock of the database shows. */
export async function setDeletionTime(db: Db): Promise<void> {
  const now = await databaseTime(db)
  await keepClock(db, { time: now, seen: now })
}

/** Why deleted videos stay in the trash for longer than they should. */
export async function clockTrouble(db: Db): Promise<string | undefined> {
  const clock = await readClock(db)
  const behind = clock ? clock.seen - clock.time : 0
  if (behind < toldMs) return undefined
  const days = Math.floor(behind / dayMs)
  return `The clock of the database has jumped ahead, or no server was running for a long time. So that nothing is deleted by mistake, what is in the trash or set aside, and the history, stay up to ${days} days longer. If the clock is wrong, correct it. If it is right, there is nothing to do; \`zoetrope adopt\` ends the delay.`
}

async function databaseTime(db: Db): Promise<number> {
  const [row] = await db<{ now: Date }[]>`select clock_timestamp() as now`
  return row?.now.getTime() ?? 0
}

async function readClock(db: Db): Promise<DeletionClock | undefined> {
  const text = await readRecord(db, record)
  return text === undefined ? undefined : (JSON.parse(text) as DeletionClock)
}

const keepClock = (db: Db, clock: DeletionClock): Promise<void> =>
  keepRecord(db, record, JSON.stringify(clock))
