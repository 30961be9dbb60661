import { countedList, limits, type Resource } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { type Fragment, raw, runRaw, sql } from '../db/fragment.js'
import { aboutFilter, type BroadFilters, countedMatches, createBroadFilters } from '../lists/broad-filters.js'
import { type Counts, type DayList, locate, type Start } from '../lists/counts.js'
import { createKnownCounts, type KnownCounts } from '../lists/known-counts.js'
import { quoted, recordExpression, sortExpression, sortType } from './columns.js'
import type { Parts, Total } from './feature.js'
import type { PageRequest } from './pagination.js'

/** A parsed list request. */
export interface ListRequest extends DayList {
  readonly resource: Resource
  readonly request: PageRequest
  /** What every record of the list has in common, apart from filters. */
  readonly within: Fragment
  readonly where: Fragment
  /** Where the ids of matching records are collected: their own table, or a narrower one with the same columns. */
  readonly matches: { readonly from: Fragment; readonly where: Fragment }
  /** No filters, no search, and no deleted records. */
  readonly whole: boolean
  readonly unfiltered: boolean
  /** The version of the list changes with the records that match. */
  readonly versioned: boolean
  /** An index makes it fast for any values, so one query plan is good for all. */
  readonly plain: boolean
}

/** version, total, length, records */
type PageRow = readonly (Buffer | null)[]

/** Separates two records: a comma for JSON, and a line break, which no record contains, to split them again. */
export const separator = ',\n'

interface Page extends Total {
  readonly version: number
  /** The records as JSON, separated by `separator`. May contain one more than fits on the page. */
  readonly records: Buffer
  readonly length: number
}

/** Reads a page from the replica if that has every change that this process knows of, else from the database itself. */
export const readCurrentPage = async (parts: Parts, asked: ListRequest): Promise<Page> =>
  (await readReplicaPage(parts, asked)) ?? (await readOwnPage(parts, asked))

/** The counts of lists as the replica has them, which may be behind. */
const replicaCounts = () => createKnownCounts()

async function readReplicaPage(
  { replica, freshness, cache }: Parts,
  asked: ListRequest,
): Promise<Page | undefined> {
  if (!replica || !asked.versioned) return undefined
  const needed = await freshness.version(asked.siteId, asked.resource.plural)
  return replica.read(async ({ db, searching }) => {
    const from = asked.plain ? db : searching
    const page = asked.whole
      ? await readWhole(from, asked, cache(replicaCounts))
      : await readFiltered(from, asked, cache(createBroadFilters))
    return page && page.version >= needed ? page : undefined
  })
}

/** The database itself also tells whether the list has changed. The replica cannot: it may not know yet. */
async function readOwnPage(parts: Parts, asked: ListRequest): Promise<Page> {
  const counted = countedList(asked.resource)
  const reading = counted && parts.freshness.begin(asked.siteId, counted)
  const page = await readPage(parts, asked)
  if (reading) parts.freshness.saw(reading, page.version)
  return page
}

async function readPage({ database, cache }: Parts, asked: ListRequest): Promise<Page> {
  const counted = cache(createKnownCounts)
  const db = asked.plain ? database.db : database.searching
  if (!asked.whole || !asked.resource.counted) return readFiltered(db, asked, cache(createBroadFilters))
  // If another writer commits between counting and reading, repeats both, the last time in one snapshot.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const page = await readWhole(db, asked, counted)
    if (page) return page
  }
  // Cached counts may be older or newer than the snapshot, so they are read again, and not shared.
  const page = await database.snapshot((tx) => readWhole(tx, asked, createKnownCounts()))
  if (!page) throw new Error('A snapshot disagrees with itself')
  return page
}

/**
 * A page of a filtered list, or of one that is not counted. Few matches are collected before sorting: the planner
 * cannot know how rare a word is, and might scan millions of records to find one match. Many matches are found early
 * in such a scan. Without a filter, every record matches.
 */
async function readFiltered(db: Db, asked: ListRequest, broadFilters: BroadFilters): Promise<Page> {
  const { request } = asked
  const offset = request.cursor ? 0 : request.page * request.perPage
  const way = { ...fromTheStart, offset, limit: request.perPage + 1 }
  // A cursor has the total of its first page.
  const finish = (page: Page, isExact: boolean): Page => ({ ...page, isExact, ...request.cursor })
  const walk = async (isExact: boolean) =>
    finish(pageOf(await readRows(db, asked, way, totalOf(asked))), isExact)
  if (asked.whole) return walk(true)

  const filter = aboutFilter(broadFilters, asked.versioned ? asked.matches.where : undefined)
  const page = filter.wasBroad ? await walk(false) : undefined
  if (page && filter.isBroadAt(page.version)) return page
  const few = pageOf(await readFew(db, asked, way))
  // A cursor leaves out what precedes it.
  if (!request.cursor) filter.note(few)
  return few.total <= limits.counted.value ? finish(few, true) : walk(asked.unfiltered)
}

/** Matches of a filter are counted only up to a limit, because counting more would cost too much. */
const totalOf = ({ resource, where, unfiltered }: ListRequest): Fragment =>
  unfiltered
    ? sql`(select count(*) from ${raw(quoted(resource.plural))} where ${where})`
    : sql`${limits.counted.value}::bigint`

/** A page of the unfiltered list, located by counts. Returns undefined if the list changed meanwhile. */
async function readWhole(db: Db, asked: ListRequest, known: KnownCounts): Promise<Page | undefined> {
  const counts = await known.read(db, asked)
  const way = await findWay(db, asked, counts)
  const page = way && pageOf(await readRows(db, asked, way, sql`${counts.total}::bigint`))
  if (page?.version !== counts.version) {
    known.forget(asked)
    return undefined
  }
  known.keep(asked, counts)
  return page
}

/** How the index is scanned: from where, in which direction, and how many records to skip and take. */
interface PageWalk extends Start {
  readonly backwards: boolean
  readonly limit: number
}

const fromTheStart = { boundary: undefined, offset: 0, backwards: false } as const

async function findWay(db: Db, asked: ListRequest, counts: Counts): Promise<PageWalk | undefined> {
  const { request } = asked
  if (request.cursor) return { ...fromTheStart, limit: request.perPage + 1 }
  const offset = request.page * request.perPage
  const limit = Math.max(Math.min(request.perPage, counts.total - offset), 0)
  if (limit === 0) return { ...fromTheStart, limit }
  if (request.sort === 'created_at') {
    const start = await locate(db, counts, asked, request.order, offset)
    return start && { backwards: false, limit, ...start }
  }
  // A page in the second half is found from the other end.
  const backwards = offset > counts.total / 2
  return { boundary: undefined, offset: backwards ? counts.total - offset - limit : offset, backwards, limit }
}

const pageOf = ([row = []]: readonly PageRow[]): Page => ({
  version: Number(row[0]),
  total: Number(row[1]),
  isExact: true,
  length: Number(row[2]),
  records: row[3] ?? Buffer.alloc(0),
})

/** If many records are skipped, finds the ids in the index first, so that skipped records are not read. */
function readRows(db: Db, asked: ListRequest, way: PageWalk, total: Fragment): Promise<PageRow[]> {
  const { resource, request, where } = asked
  const key = raw(sortExpression(resource, request.sort))
  const walk = directionOf((request.order === 'desc') !== way.backwards)
  const found = sql`
    from ${raw(quoted(resource.plural))} where ${where} ${beyond(asked, way.boundary)}
    order by ${key} ${walk}, _id ${walk} offset ${way.offset} limit ${way.limit}
  `
  const records =
    way.offset > skippedInTable
      ? recordsOf(asked, sql`select _id as found ${found}`)
      : sql`select ${selected(asked)} ${found}`
  return runRaw(db, pageStatement(asked, records, total))
}

const skippedInTable = 20

/** Like `readRows`, but collects all matches before sorting, if they are few. */
function readFew(db: Db, asked: ListRequest, way: PageWalk): Promise<PageRow[]> {
  const { resource, request, matches } = asked
  const walk = directionOf(request.order === 'desc')
  const ids = sql`
    select found from matches order by sort_key ${walk}, found ${walk} offset ${way.offset} limit ${way.limit}
  `
  const statement = sql`
    with matches as materialized (
      select _id as found, ${raw(sortExpression(resource, request.sort))} as sort_key
      from ${matches.from} where ${matches.where} ${beyond(asked, undefined)}
      limit ${countedMatches}
    )
    ${pageStatement(asked, recordsOf(asked, ids), sql`(select count(*) from matches)`)}
  `
  return runRaw(db, statement)
}

const directionOf = (isDescending: boolean) => (isDescending ? sql`desc` : sql`asc`)

const selected = ({ resource, request }: ListRequest): Fragment =>
  raw(`_id, ${sortExpression(resource, request.sort)} as sort_key, ${recordExpression(resource)} as json`)

const recordsOf = (asked: ListRequest, ids: Fragment): Fragment => sql`
  select record.* from (${ids}) as ids
  cross join lateral (
    select ${selected(asked)} from ${raw(quoted(asked.resource.plural))}
    where ${asked.within} and _id = ids.found limit 1
  ) as record
`

/**
 * Selects the records in order as one text, with the list's length and, if it is counted, its version in the same
 * snapshot.
 */
function pageStatement(asked: ListRequest, records: Fragment, total: Fragment): Fragment {
  const { resource, request, siteId } = asked
  const forward = directionOf(request.order === 'desc')
  const version = resource.counted ? sql`list_version(${siteId}, ${resource.plural})` : sql`0::bigint`
  return sql`
    select ${version} as version, ${total} as total, count(*) as length,
      string_agg(json, ${separator} order by sort_key ${forward}, _id ${forward}) as records
    from (${records}) as records
  `
}

/** Only records after the boundary, or after the record that a cursor names. */
function beyond({ resource, request }: ListRequest, boundary: Date | undefined): Fragment {
  const { sort, order, cursor } = request
  if (cursor) {
    const key = raw(sortExpression(resource, sort))
    const type = raw(sortType(resource, sort))
    return sql`and (${key}, _id) ${order === 'desc' ? sql`<` : sql`>`} (${cursor.value}::text::${type}, ${cursor.id})`
  }
  if (!boundary) return sql``
  return order === 'desc' ? sql`and created_at < ${boundary}` : sql`and created_at >= ${boundary}`
}
