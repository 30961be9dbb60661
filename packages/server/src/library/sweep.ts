import type { Db } from '../db/database.js'
import type { Storage } from '../storage/storage.js'
import { mediaStatusOf } from './known-media.js'
import { lookThrough, type UnknownMedia } from './look-through.js'
import { bringBack, removeAside, setAside } from './set-aside.js'
import { noteWaiting } from './trouble.js'

/** A file can predate its row by the length of an upload, so younger files are left alone. */
const youngestMs = 6 * 3_600_000
/** How long an object must be without a row before it is set aside. */
const markedMs = 24 * 3_600_000
/** More than this at once suggests a mistake: the wrong database, or an old one. */
const mostAtOnce = 100
const mostOfAll = 0.05

export interface SweepOptions {
  readonly youngestMs?: number
  readonly markedMs?: number
  /** The operator has reviewed the preview and confirmed it, so age and amount no longer matter. */
  readonly isConfirmed?: boolean
}

export interface SweepResult {
  readonly broughtBack: number
  readonly setAside: number
  readonly removed: number
  /** Why the sweep did less than it found. */
  readonly waits: string | undefined
}

/** The result of a sweep. */
export interface Findings {
  /** Films in the storage. */
  readonly films: number
  /** Films and images that have no row and were not deleted on purpose. */
  readonly unknownFilms: number
  readonly unknownImages: number
  /** Objects that were deleted on purpose or can be made again. */
  readonly others: number
}

/**
 * Sets aside objects without a row, and deletes those set aside a week ago. Objects deleted on purpose go at
 * once, others after a day and only in small numbers. Objects that have a row again are restored.
 */
export async function sweepLibrary(
  db: Db,
  storage: Storage,
  options: SweepOptions = {},
): Promise<SweepResult> {
  const broughtBack = await bringBack(db, storage)
  const findings = await mark(db, storage, options.youngestMs ?? youngestMs)
  const waits = options.isConfirmed ? undefined : whyWait(findings)
  await noteWaiting(db, waits)
  const age = options.isConfirmed ? 0 : (options.markedMs ?? markedMs)
  const count = await setMarkedAside(db, storage, waits === undefined ? age : undefined)
  const removed = await removeAside(db, storage)
  await db`delete from ended_media where ended_at < now() - interval '60 days'`
  return { broughtBack, setAside: count, removed, waits }
}

/** Films that are listed, so that an operator can upload them again. */
const mostExamples = 1000

/**
 * What a sweep would find in a day, without changing anything, with the ids of films that have no row. After an old backup was
 * restored, those are the lost films, however young.
 */
export async function previewSweep(
  db: Db,
  storage: Storage,
): Promise<Findings & { readonly examples: readonly string[] }> {
  const counts = { unknownFilms: 0, unknownImages: 0, others: 0 }
  const examples: string[] = []
  const films = await lookThrough(db, storage, 0, async (unknown) => {
    for (const media of unknown) {
      const counted = countedAs(media)
      counts[counted] += 1
      if (counted === 'unknownFilms' && examples.length < mostExamples) examples.push(media._id)
    }
  })
  return { films, ...counts, examples }
}

function countedAs({ kind, isEnded }: Omit<UnknownMedia, '_id'>): Exclude<keyof Findings, 'films'> {
  if (isEnded || kind === 'piece') return 'others'
  return kind === 'film' ? 'unknownFilms' : 'unknownImages'
}

/** Why an amount this large needs confirmation; undefined if it does not. */
export function whyWait({ films, unknownFilms, unknownImages }: Findings): string | undefined {
  const isMuch = unknownFilms > mostAtOnce || unknownFilms > films * mostOfAll || unknownImages > mostAtOnce
  if (!isMuch) return undefined
  const what = [
    ...(unknownFilms > 0 ? [`${unknownFilms} of ${films} films`] : []),
    ...(unknownImages > 0 ? [`${unknownImages} images`] : []),
  ].join(' and ')
  return `In the media storage, ${what} belong to no video of the database. That is too much to be set aside unasked, so all of it stays. If the database was restored from an old backup, restore a newer one. \`zoetrope storage sweep\` shows what would be done, and with --confirm does it.`
}

/** Records objects without a row, and drops records of objects that are gone or have a row again. */
async function mark(db: Db, storage: Storage, youngest: number): Promise<Findings> {
  const [start] = await db<{ now: Date }[]>`select clock_timestamp() as now`
  const films = await lookThrough(db, storage, youngest, async (unknown) => {
    await db`
      insert into unknown_media (_id, kind) select distinct * from unnest(
        ${unknown.map(({ _id }) => _id)}::text[], ${unknown.map(({ kind }) => kind)}::text[]
      )
      on conflict (_id) do update set kind = excluded.kind, last_seen_at = clock_timestamp()
    `
  })
  await db`delete from unknown_media where last_seen_at < ${start?.now ?? null}`
  const [counts] = await db<Omit<Findings, 'films'>[]>`
    select (count(*) filter (where kind = 'film' and ended_at is null))::int as "unknownFilms",
      (count(*) filter (where kind = 'image' and ended_at is null))::int as "unknownImages",
      (count(*) filter (where kind = 'piece' or ended_at is not null))::int as others
    from unknown_media left join ended_media using (_id)
  `
  return { films, ...(counts ?? { unknownFilms: 0, unknownImages: 0, others: 0 }) }
}

const pageSize = 100

/**
 * Sets aside objects deleted on purpose and, given an age, those recorded for that long. Returns how many.
 */
async function setMarkedAside(db: Db, storage: Storage, ageMs: number | undefined): Promise<number> {
  let count = 0
  for (let after = ''; ; ) {
    const rows = await db<{ _id: string }[]>`
      select _id from unknown_media left join ended_media using (_id)
      where _id > ${after} and (
        ended_at is not null or seen_at <= clock_timestamp() - make_interval(secs => ${ageMs ?? null}::float8 / 1000)
      )
      order by _id limit ${pageSize}
    `
    const ids = rows.map(({ _id }) => _id)
    const { known } = await mediaStatusOf(db, ids)
    for (const _id of ids) {
      if (known.has(_id)) continue
      await setAside(db, storage, _id)
      count += 1
    }
    await db`delete from unknown_media where _id = any(${ids}::text[])`
    const last = ids.at(-1)
    if (last === undefined || ids.length < pageSize) return count
    after = last
  }
}
