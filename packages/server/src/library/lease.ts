import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { Readable } from 'node:stream'
import type { Db } from '../db/database.js'
import { sql } from '../db/fragment.js'
import { within } from '../lib/deadline.js'
import type { LibraryLease, Storage } from '../storage/storage.js'
import { hasReason } from '../storage/storage-error.js'
import { readPairing } from './owner.js'

/**
 * Beside the films: which database uses them. The key is a number that grows whenever a film arrives, so several processes
 * can write without waiting for each other, and the largest counts.
 */
export const leaseFolder = 'lease'
const keyOf = (number: number) => `${leaseFolder}/${String(number).padStart(12, '0')}.json`

/** How often the lease is renewed. Half a beat more or less does not matter. */
const beatMs = 60_000
/** A lease that was not renewed for this long is one of an installation that no longer runs. */
const silenceMs = 150_000
/** How long a caller waits for a renewal. */
const patienceMs = 5000
/** How many renewals the database remembers: those of slow processes may arrive late. */
const mostNonces = 20

/** Which PostgreSQL it is. A copy of the database differs in both, unless it replaces the original. */
interface DatabasePlace {
  readonly place: string
  readonly started: string
}

/** The newest object in the folder. */
interface LeaseMark extends DatabasePlace {
  readonly number: number
  /** Another one with each renewal. The database that wrote it remembers it, and its copies do not. */
  readonly nonce: string
  /** Whether the last server was stopped, and so another place may begin at once. */
  readonly isReleased?: boolean
}

/**
 * Why this database may not be the one that the films belong to. `elsewhere`: it was in use in another place, which may still
 * be running. `old`: films have arrived that it does not know. `copy`: another installation is renewing the lease.
 */
type LeaseDoubt = 'elsewhere' | 'old' | 'copy'

interface LibraryLeaseRow {
  readonly number: number
  readonly nonces: readonly string[]
  readonly renewedMs: number
  readonly doubt: LeaseDoubt | null
  readonly doubt_nonce: string | null
  readonly doubt_place: string | null
  readonly doubtMs: number | null
}

/**
 * Compares the lease of the storage with the one of the database, and renews it if it is ours. A process that has held it may
 * find the database in another place: that is a fail-over.
 */
export async function checkLease(db: Db, storage: Storage, hasHeld = false): Promise<void> {
  // The storage first: what this database wrote there, it has noted before.
  const { mark, older } = await readMarks(storage)
  const row = await readRow(db)
  const finding = row.doubt === null ? await judge(db, mark, row, hasHeld) : judgeAgain(mark, row)
  if (finding === 'waits') return beginInPast(db)
  if (finding !== 'ours') return noteDoubt(db, row, finding)
  for (const key of older) await storage.remove(key)
  if (row.doubt === null && isRenewed(mark, row)) return
  // Films that arrived during a doubt were not counted.
  const renewal = { before: row, seen: mark?.nonce, raise: row.doubt === null ? 0 : 1 }
  // On a full disk the mark that is there is still ours, and a doubt lasts until there is room.
  await renew(db, storage, renewal).catch(unlessFull)
}

function unlessFull(error: unknown): void {
  if (!hasReason(error, 'full')) throw error
}

interface LeaseDoubtFound {
  readonly mark: LeaseMark
  readonly doubt: LeaseDoubt
}
type LeaseFinding = 'ours' | 'waits' | LeaseDoubtFound

async function judge(
  db: Db,
  mark: LeaseMark | undefined,
  row: LibraryLeaseRow,
  hasHeld: boolean,
): Promise<LeaseFinding> {
  if (!mark) return 'ours'
  const isKnown = row.nonces.includes(mark.nonce)
  if (isKnown && (hasHeld || mark.isReleased)) return 'ours'
  // Many films may have arrived while a slow storage sent a mark of ours, or nobody could write the newest one.
  if ((isKnown || mark.number < row.number) && isSame(mark, await placeOf(db))) return 'ours'
  return { mark, doubt: mark.number > row.number ? 'old' : 'elsewhere' }
}

/** A doubt ends by itself only if nothing shows that films are missing, or that another server runs. */
function judgeAgain(mark: LeaseMark | undefined, row: LibraryLeaseRow): LeaseFinding {
  const mayEnd = row.doubt === 'elsewhere'
  if (!mark || mark.nonce === row.doubt_nonce)
    return mayEnd && (row.doubtMs ?? 0) > silenceMs ? 'ours' : 'waits'
  // One of our own processes had renewed it just before the doubt was noted.
  if (mayEnd && row.nonces.includes(mark.nonce)) return 'ours'
  return { mark, doubt: 'copy' }
}

const isSame = (one: DatabasePlace, other: DatabasePlace): boolean =>
  one.place === other.place || one.started === other.started

/** Whether one of our processes has just renewed it. */
const isRenewed = (mark: LeaseMark | undefined, row: LibraryLeaseRow): boolean =>
  mark?.number === row.number &&
  mark.nonce === row.nonces[0] &&
  !mark.isReleased &&
  row.renewedMs >= 0 &&
  row.renewedMs < beatMs * 0.75

type LeaseDoubtRow = Pick<LibraryLeaseRow, 'doubt' | 'doubt_nonce'>
const noDoubt: LeaseDoubtRow = { doubt: null, doubt_nonce: null }

interface LeaseRenewal {
  /** The doubt that this renewal ends. It does nothing if there is another one. */
  readonly before?: LeaseDoubtRow
  /** The nonce beside the films. If it is ours, it stays known until another one is written. */
  readonly seen?: string | undefined
  /** By how much the number of the database grows. */
  readonly raise?: number
  /** What the number is at least. */
  readonly least?: number
  readonly isReleased?: true
}

/** Notes a new nonce in the database and then beside the films, and ends the doubt. Returns whether it did. */
async function renew(
  db: Db,
  storage: Storage,
  { before = noDoubt, seen = '', raise = 0, least = 0, isReleased }: LeaseRenewal,
): Promise<boolean> {
  const nonce = randomBytes(16).toString('hex')
  const isAsBefore = sql`doubt is not distinct from ${before.doubt} and doubt_nonce is not distinct from ${before.doubt_nonce}`
  const [row] = await db<{ number: number; at: Date }[]>`
    update library_lease set number = greatest(number + ${raise}, ${least}), renewed_at = clock_timestamp(),
      nonces = (array[${nonce}] || array(
        select known from unnest(nonces) with ordinality as each (known, place) order by known <> ${seen}, place
      ))[1:${mostNonces}::integer]
    where ${isAsBefore} returning number::float8, renewed_at as at
  `
  if (!row) return false
  const about =
    'Says which database of Zoetrope uses these films. The name of the file is a number that grows as films arrive.'
  const mark = { nonce, ...(await placeOf(db)), at: row.at, ...(isReleased ? { isReleased } : {}), about }
  const text = `${JSON.stringify(mark, null, 2)}\n`
  await storage.put(keyOf(row.number), Readable.from([Buffer.from(text)]))
  if (before.doubt === null) return true
  const { count } = await db`
    update library_lease set doubt = null, doubt_nonce = null, doubt_place = null, doubt_since = null where ${isAsBefore}
  `
  return count > 0
}

/** Makes this database the one that the films belong to. Others that use them find out at their next check. */
export async function takeLease(db: Db, storage: Storage): Promise<void> {
  const { mark, older } = await readMarks(storage)
  const renewal = { raise: 1, least: (mark?.number ?? 0) + 1 }
  // Until no server has noted another doubt meanwhile.
  while (!(await renew(db, storage, { ...renewal, before: await readRow(db) })));
  for (const key of [...older, ...(mark ? [keyOf(mark.number)] : [])]) await storage.remove(key)
}

/** Does nothing if the operator has decided meanwhile. The time of the first doubt is kept. */
async function noteDoubt(db: Db, before: LibraryLeaseRow, { mark, doubt }: LeaseDoubtFound): Promise<void> {
  await db`
    update library_lease set doubt = ${doubt}, doubt_nonce = ${mark.nonce}, doubt_place = ${mark.place},
      doubt_since = coalesce(doubt_since, clock_timestamp())
    where doubt is not distinct from ${before.doubt} and number = ${before.number}
  `
}

/** A clock that was set back must not make a doubt last until it has caught up. */
async function beginInPast(db: Db): Promise<void> {
  await db`update library_lease set doubt_since = clock_timestamp() where doubt_since > clock_timestamp()`
}

async function placeOf(db: Db): Promise<DatabasePlace> {
  const [row] = await db<{ place: string; started: string; isLocal: boolean }[]>`
    select concat_ws(' ', host(inet_server_addr()), inet_server_port(),
        (select setting from pg_settings where name = 'data_directory'), current_database()) as place,
      concat(pg_postmaster_start_time(), ' ', current_database()) as started, inet_server_addr() is null as "isLocal"
  `
  const { place, started, isLocal } = row ?? { place: '', started: '', isLocal: true }
  return { place: isLocal ? `${hostname()} ${place}` : place, started }
}

async function readRow(db: Db): Promise<LibraryLeaseRow> {
  const [row] = await db<LibraryLeaseRow[]>`
    select number::float8, nonces, doubt, doubt_nonce, doubt_place,
      extract(epoch from clock_timestamp() - renewed_at)::float8 * 1000 as "renewedMs",
      extract(epoch from clock_timestamp() - doubt_since)::float8 * 1000 as "doubtMs"
    from library_lease
  `
  if (row) return row
  await db`insert into library_lease default values on conflict do nothing`
  return readRow(db)
}

/** The newest mark, and the keys of older ones, which a process has not removed yet. */
async function readMarks(storage: Storage): Promise<{ mark: LeaseMark | undefined; older: string[] }> {
  for (let tries = 0; tries < 5; tries += 1) {
    const keys: string[] = []
    for await (const { key } of storage.list(leaseFolder)) keys.push(key)
    const newest = keys.pop()
    if (newest === undefined) return { mark: undefined, older: [] }
    const object = await storage.read(newest)
    // Otherwise a film has arrived meanwhile, and there is a newer one.
    if (object) return { mark: readMark(newest, await object.body.toArray()), older: keys }
  }
  throw new Error(`The media storage lists files under ${leaseFolder} that cannot be read.`)
}

function readMark(key: string, chunks: readonly Buffer[]): LeaseMark {
  const number = Number(/\d+/.exec(key)?.[0] ?? 0)
  try {
    return { ...(JSON.parse(Buffer.concat(chunks).toString()) as LeaseMark), number }
  } catch {
    // Not ours: it counts as written by another.
    return { number, nonce: 'unreadable', place: 'an unknown place', started: '' }
  }
}

const consequence = 'So nothing is deleted from it, and mails, webhooks and imports wait.'

const sentences: Readonly<Record<LeaseDoubt, (place: string) => string>> = {
  elsewhere: (place) =>
    `The media storage was last used with another copy of this database (${place}), which was not stopped properly. Mails, webhooks, imports and the sweep wait for up to four minutes, until it is certain that it does not run any more. There is nothing to do.`,
  old: (place) =>
    `The database is older than the media storage: films have arrived since it was copied. Last, the storage was in use by ${place}. ${consequence} If a backup was restored and there is a newer one, restore that. If another server uses these films, stop this one. To go on with this database, run \`zoetrope adopt\`; before that, \`zoetrope storage sweep\` lists the films that it does not know.`,
  copy: (place) =>
    `Another server uses the media storage at the same time, with a copy of this database: ${place}. ${consequence} Stop the server that is not meant to run, or give it another storage. To go on with this one, run \`zoetrope adopt\` here.`,
}

/** Why this installation must neither delete anything nor write to anybody, as of the last check. */
export async function leaseTrouble(db: Db): Promise<string | undefined> {
  const { doubt, doubt_place } = await readRow(db)
  return doubt === null ? undefined : sentences[doubt](doubt_place ?? 'an unknown place')
}

/** Renews the lease as long as the database is open. */
export async function openLease(db: Db, storage: Storage): Promise<LibraryLease> {
  let isOurs = false
  let hasHeld = false
  let trouble: string | undefined
  const check = async () => {
    isOurs = (await readPairing(db, storage)) === 'ours'
    if (isOurs) await checkLease(db, storage, hasHeld)
    trouble = await leaseTrouble(db)
    hasHeld = isOurs && trouble === undefined
    return trouble
  }
  await check()
  const timer = setInterval(() => {
    // A storage or a database that is away is reported where it is needed.
    check().catch((error: { code?: string }) => {
      if (error.code === 'CONNECTION_ENDED') clearInterval(timer)
    })
  }, beatMs)
  timer.unref()
  return {
    isHeld: () => trouble === undefined,
    check,
    async noteArrival() {
      // The next renewal writes the number if this one fails, or takes too long for those who wait for it.
      if (isOurs) await within(patienceMs, renew(db, storage, {}), () => new Error('late')).catch(() => {})
    },
    async release() {
      clearInterval(timer)
      if (!isOurs) return
      const releasing = renew(db, storage, { isReleased: true })
      await within(patienceMs, releasing, () => new Error('late')).catch(() => {})
    },
  }
}
