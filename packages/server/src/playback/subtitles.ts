import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { surroundingsOf } from '../edge/origin.js'
import { notFound, unavailable } from '../errors.js'
import { type Verdict, verdictColumn } from '../features/content-rules/verdict.js'
import { isForEverybody, type Terms } from '../features/videos/may-watch.js'
import { subtitleWord } from '../films/subtitle-columns.js'
import { isId } from '../lib/object-id.js'
import { sameDigest } from '../lib/sealing.js'
import { whileAlive } from '../lib/while-alive.js'
import type { SubtitleRendition } from '../media/master-playlist.js'
import { subtitlePlaylist } from '../media/playlists.js'
import type { Source } from '../media-segments/source-plan.js'
import { mediaAddress } from './addresses.js'
import { type OpenedSource, opened, requestedVideo } from './caller.js'
import { mayEmbed } from './embed-domains.js'
import { addReading, inPath, type Playback, sendPlaylist, uncached } from './playback.js'
import type { AddressScope, PlayableVideo } from './videos.js'

interface Subtitle {
  readonly _id: string
  readonly language: string
  readonly title: string
  readonly default: boolean
  readonly forced: boolean
  readonly file_fingerprint: string
  /** The address of the file alone. */
  readonly url: string
}

/**
 * Subtitles as renditions below the video's signed address, and as files at their own address, for viewers
 * who may watch the video.
 */
export function addSubtitles(app: FastifyInstance, playback: Playback): void {
  addReading(app, '/media/:token/subtitles/:id/index.m3u8', async (request, reply) => {
    const { source } = await opened(playback, request)
    const { file_fingerprint } = await findSubtitle(playback, source, inPath(request, 'id'))
    const playlist = subtitlePlaylist(source.plan.facts.duration, `${onTimelineName}${file_fingerprint}.vtt`)
    return sendPlaylist(request, reply, playlist)
  })
  addReading(app, '/media/:token/subtitles/:id/:file', async (request, reply) => {
    const { source, caching } = await opened(playback, request)
    const { file_fingerprint, vtt } = await findSubtitle(playback, source, inPath(request, 'id'))
    const [, isSegment, fingerprint] = /^(hls-)?([0-9a-f]{32})\.vtt$/.exec(inPath(request, 'file')) ?? []
    if (fingerprint === undefined) throw notFound('subtitle')
    // A player that started before the file was replaced gets the new file.
    const isSame = fingerprint === file_fingerprint
    return sendText(
      reply,
      isSegment ? onTimeline(vtt) : vtt,
      isSame ? caching : { 'cache-control': 'no-store' },
    )
  })
  addReading(app, '/subtitles/:id/:file', (request, reply) => sendAlone(playback, request, reply))
}

const sendText = (reply: FastifyReply, vtt: string, caching: OpenedSource['caching']): FastifyReply =>
  reply
    .headers({ ...caching, 'cross-origin-resource-policy': 'cross-origin' })
    .type('text/vtt; charset=utf-8')
    .send(vtt)

/** The file for HLS playlists differs from the download, which is plain WebVTT. */
const onTimelineName = 'hls-'

/** Cue times are film times, and the first frame is at 0. HLS requires a header that says so. */
const onTimeline = (vtt: string) =>
  vtt.replace(/^WEBVTT/, 'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000')

interface Alone extends Terms {
  readonly video_id: string
  readonly file_fingerprint: string
  readonly vtt: string
  readonly is_active: boolean
  readonly is_shown: boolean
  readonly verdict: Verdict
}

async function sendAlone(
  playback: Playback,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { parts } = playback
  const [_id, file] = [inPath(request, 'id'), inPath(request, 'file')]
  const { db } = parts.database
  const find = db<Alone[]>`
    select video_id, file_fingerprint, vtt, subtitles.active as is_active, videos.active and status <> 'failed' as is_shown,
      registration_required, subscription_required, pass_required, purchase_required, rental_required,
      redemption_code_required, ${verdictColumn(surroundingsOf(request))} as verdict
    from subtitles join videos on videos.site_id = subtitles.site_id and videos._id = video_id and deleted_at is null
    where subtitles._id = ${_id}
  `
  const [found] = isId(_id) ? await whileAlive(parts.database, find, () => unavailable(undefined)) : []
  const name = found && `${subtitleWord(parts.sealer, _id, found.file_fingerprint)}.vtt`
  if (!found || !sameDigest(Buffer.from(file), Buffer.from(name ?? ''))) throw notFound('subtitle')
  if (found.is_active && found.is_shown && isForEverybody(found) && found.verdict === null)
    return sendText(reply, found.vtt, { 'cache-control': 'public, max-age=300' })
  // More callers may read the records of such a video than may watch it.
  const { seen } = await requestedVideo(playback, request, found.video_id, mayEmbed, surroundingsOf(request))
  if (!found.is_active && !seen.sees_hidden) throw notFound('subtitle')
  return sendText(reply, found.vtt, uncached)
}

async function findSubtitle(
  { parts }: Playback,
  { site_id, video_id }: Source,
  _id: string,
): Promise<{ readonly file_fingerprint: string; readonly vtt: string }> {
  const { db } = parts.database
  const find = db<{ file_fingerprint: string; vtt: string }[]>`
    select file_fingerprint, vtt from subtitles
    where site_id = ${site_id} and video_id = ${video_id} and _id = ${_id} and active
  `
  const [found] = await whileAlive(parts.database, find, () => unavailable(undefined))
  if (!found) throw notFound('subtitle')
  return found
}

/** The subtitles that viewers can choose from, the default first. */
async function subtitlesOf(
  { parts }: Playback,
  { site_id, video_id }: Pick<Source, 'site_id' | 'video_id'>,
): Promise<Subtitle[]> {
  const { db } = parts.database
  const find = db<Subtitle[]>`
    select _id, language, title, "default", forced, file_fingerprint, url from subtitles
    where site_id = ${site_id} and video_id = ${video_id} and active order by "default" desc, title
  `
  return whileAlive(parts.database, find, () => unavailable(undefined))
}

/** For the list of renditions. */
export async function subtitleRenditions(playback: Playback, source: Source): Promise<SubtitleRendition[]> {
  const ours = (await subtitlesOf(playback, source)).map(
    ({ _id, language, title, default: isDefault, forced }) => ({
      id: _id,
      language,
      name: title,
      isDefault,
      isForced: forced,
    }),
  )
  const names = new Set(ours.map(({ name }) => name))
  const others = (await playlistsOf(playback, source)).map(({ _id, language, language_code, source_url }) => {
    // Players identify renditions by name.
    const name = names.has(language) ? `${language} (${language_code})` : language
    return { id: _id, language: language_code, name, elsewhere: source_url }
  })
  return [...ours, ...others]
}

interface PlaylistElsewhere {
  readonly _id: string
  readonly language: string
  readonly language_code: string
  readonly source_url: string
}

async function playlistsOf({ parts }: Playback, { site_id, video_id }: Source): Promise<PlaylistElsewhere[]> {
  const { db } = parts.database
  const find = db<PlaylistElsewhere[]>`
    select _id, language, language_code, source_url from subtitle_playlists
    where site_id = ${site_id} and video_id = ${video_id} order by language
  `
  return whileAlive(parts.database, find, () => unavailable(undefined))
}

/** For players that load subtitles themselves. */
export async function subtitleFiles(
  playback: Playback,
  seen: AddressScope,
  { source, record, elsewhere }: PlayableVideo,
) {
  if (!source && elsewhere.length === 0) return []
  const place = source && mediaAddress(playback, seen, source)
  const video = { site_id: seen.site_id, video_id: record._id }
  return (await subtitlesOf(playback, video)).map((subtitle) => {
    const { _id, file_fingerprint, title: label, language, default: isDefault, forced } = subtitle
    const file = place ? `${place}/subtitles/${_id}/${file_fingerprint}.vtt` : subtitle.url
    return { file, label, language, default: isDefault, forced, url: file, format: 'vtt' }
  })
}
