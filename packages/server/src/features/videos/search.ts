import {
  type catalog,
  publishes,
  type RecordOf,
  type SearchMatch,
  type SearchSummary,
} from '@zoetrope/contract'
import { type Fragment, sql } from '../../db/fragment.js'
import { isId } from '../../lib/object-id.js'
import type { Answer, Call, Total } from '../../resources/feature.js'
import { flagIn, project } from '../../resources/projection.js'
import { markedQuery, type NarrowSearch, readWords } from '../../resources/search.js'
import { listAllowed, videosAllowed } from '../content-rules/allowed-here.js'
import { correctWords, suggestWords } from './correct-words.js'
import { excerpt, finderOf, split, wordsIn } from './highlight.js'
import { listVideos, withReadOptions } from './read.js'
import { spokenLines } from './spoken-lines.js'

type SearchedVideo = RecordOf<typeof catalog.videos>

interface FoundVideos {
  readonly searched: string
  readonly total: Total
  readonly response: readonly SearchedVideo[]
  readonly rest: object
}

/** Below this, other words are suggested that find more. */
const few = 3

/** Lists videos. With `search`, looks in more fields than `q` does, and shows where the words are. */
export async function searchVideos(call: Call): Promise<Answer | undefined> {
  if (!('search' in call.query || 'search_exact' in call.query)) return listVideos(call)
  const { search, search_exact, ...query } = call.query
  const asked = readWords('search', search)
  if (asked === undefined) return listVideos({ ...call, query })
  const isExact = flagIn({ search_exact }, 'search_exact')
  const found = await findVideos({ ...call, query }, asked)
  const isNone = found.response.length === 0 && (found.total.total === 0 || query.cursor !== undefined)
  if (isExact || (!isNone && found.total.total >= few)) return answerSearch(call, asked, found)
  const { database } = call.parts
  const others = await (isNone ? correctWords : suggestWords)(database.searching, call.scope.site_id, asked)
  const better = await firstThatFinds({ ...call, query }, others, isNone ? 0 : found.total.total)
  if (better && isNone) return answerSearch(call, asked, better)
  return answerSearch(call, asked, found, better?.searched)
}

async function firstThatFinds(
  call: Call,
  texts: readonly string[],
  than: number,
): Promise<FoundVideos | undefined> {
  for (const text of texts) {
    const found = await findVideos(call, text)
    if (found.total.total > than && (than > 0 || found.response.length > 0)) return found
  }
  return undefined
}

/** A page of the videos that have all words, complete: matches are looked for in fields that may not be shown. */
async function findVideos(call: Call, text: string): Promise<FoundVideos> {
  let total: Total = { total: 0, isExact: true }
  const list = withReadOptions(async (inner) => {
    const answer = await listAllowed(videosAllowed, isFound(call, text), narrowFound(call, text))(inner)
    total = answer.total ?? total
    return answer
  })
  const { response_fields: _, ...query } = call.query
  const answer = await list({ ...call, query })
  const { response, ...rest } = JSON.parse(String(answer?.json)) as { response: SearchedVideo[] }
  return { searched: text, total, response, rest }
}

/** The condition for videos that have the words. Only publishers may read the subtitles of every video. */
function isFound({ scope, principal }: Call, text: string): Fragment {
  const words = sql`site_id = ${scope.site_id} and words @@ ${markedQuery(scope.site_id, text, '')}`
  const spoken = publishes(principal.kind)
    ? sql`union all select video_id from subtitle_search where ${words}`
    : sql``
  const one = isId(text) ? sql`union all select ${text}::text collate "C"` : sql``
  return sql`_id in (select _id from video_search where ${words} ${spoken} ${one})`
}

/** The same condition in a form that PostgreSQL can only check video by video, instead of collecting all matches. */
function isFoundAlone({ scope, principal }: Call, text: string): Fragment {
  const words = sql`site_id = ${scope.site_id} and words @@ ${markedQuery(scope.site_id, text, '')}`
  const written = sql`(select true from video_search where ${words} and _id = videos._id limit 1)`
  if (!publishes(principal.kind)) return written
  return sql`coalesce(${written}, (select true from subtitle_search where ${words} and video_id = videos._id limit 1), false)`
}

/** The same without the table of videos. A video of whose texts several match is found once. */
function narrowFound(call: Call, text: string): NarrowSearch | undefined {
  if (isId(text)) return undefined
  const { scope, principal } = call
  const query = markedQuery(scope.site_id, text, '')
  const rows = sql`
    select site_id, _id, created_at, active, deleted_at from video_search where site_id = ${scope.site_id}
  `
  const spoken = sql`
    union all ${rows} and not words @@ ${query}
      and _id in (select video_id from subtitle_search where site_id = ${scope.site_id} and words @@ ${query})
  `
  const all = publishes(principal.kind)
    ? sql`${rows} and words @@ ${query} ${spoken}`
    : sql`${rows} and words @@ ${query}`
  return { table: sql`(${all}) as found`, found: sql`true`, walked: isFoundAlone(call, text) }
}

async function answerSearch(
  call: Call,
  asked: string,
  { searched, total, response, rest }: FoundVideos,
  suggestion?: string,
): Promise<Answer> {
  const words = wordsIn(searched)
  const spoken = await spokenMatches(call, searched, words, response)
  const { response_fields } = call.query
  const options = ['matches', 'manifest', 'related_videos']
  const shown = response_fields ? { response_fields: [response_fields, options].flat() } : {}
  const records = response.map((video) => {
    const matches = [...writtenMatches(video, words), ...(spoken.get(video._id) ?? [])]
    return project(shown, JSON.stringify({ ...video, matches }))
  })
  const search: SearchSummary = {
    asked,
    searched,
    suggestion: suggestion ?? null,
    words,
    total: total.total,
    total_exact: total.isExact,
  }
  const others = JSON.stringify({ ...rest, search }).slice(1)
  return { json: `{"response":[${records.join(',')}],${others}` }
}

/** Where the words are in the fields of a video, those that viewers see first. */
function writtenMatches(video: SearchedVideo, words: readonly string[]): SearchMatch[] {
  const finder = finderOf(words)
  const texts: readonly (readonly [SearchMatch['field'], string | null])[] = [
    ['title', video.title],
    ['keywords', video.keywords.join(', ')],
    ['source_id', video.source_id],
    ['video_zobjects', video.video_zobjects.map(({ title }) => title ?? '').join(', ')],
    ['internal_title', video.internal_title],
    ['short_description', video.short_description],
    ['description', video.description],
  ]
  return texts.flatMap(([field, text]) => {
    const parts = text ? excerpt(text, finder) : undefined
    return parts ? [{ field, parts, subtitle_id: null, language: null, time: null }] : []
  })
}

/** Lines shown of one video. */
const mostLines = 3
/** Bytes of subtitles that are read for one page. Videos after that show no lines. */
const mostBytes = 4_000_000

/** Matching lines of the subtitles, by video: of the default one if it matches, otherwise of the oldest. */
async function spokenMatches(
  { parts: { database }, scope, principal }: Call,
  searched: string,
  words: readonly string[],
  videos: readonly SearchedVideo[],
): Promise<ReadonlyMap<string, readonly SearchMatch[]>> {
  if (!publishes(principal.kind) || videos.length === 0) return new Map()
  const rows = await database.searching<{ _id: string; video_id: string; language: string; vtt: string }[]>`
    with found as (
      select distinct on (subtitles.video_id) subtitles._id, subtitles.video_id, subtitles.language, file_file_size
      from subtitle_search join subtitles
        on subtitles.site_id = subtitle_search.site_id and subtitles._id = subtitle_search._id
      where subtitle_search.site_id = ${scope.site_id}
        and subtitle_search.video_id = any(${videos.map(({ _id }) => _id)}::text[])
        and subtitle_search.words @@ ${markedQuery(scope.site_id, searched, '')}
      order by subtitles.video_id, "default" desc, created_at, subtitles._id
    ), sized as (
      select *, sum(file_file_size) over (order by video_id desc) as bytes from found
    )
    select sized._id, sized.video_id, sized.language, vtt from sized join subtitles
      on subtitles.site_id = ${scope.site_id} and subtitles._id = sized._id
    where bytes <= ${mostBytes}
  `
  const finder = finderOf(words)
  return new Map(
    rows.map(({ _id, video_id, language, vtt }) => [
      video_id,
      spokenLines(vtt, words, mostLines).map(({ time, text }) => ({
        field: 'subtitles',
        parts: split(text, finder),
        subtitle_id: _id,
        language,
        time,
      })),
    ]),
  )
}
