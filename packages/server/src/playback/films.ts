import type { FastifyInstance, FastifyRequest } from 'fastify'
import { surroundingsOf } from '../edge/origin.js'
import { forbidden, notFound, unavailable } from '../errors.js'
import { openFilm } from '../films/film-address.js'
import { whileAlive } from '../lib/while-alive.js'
import { findSourceById } from '../media-segments/find-source.js'
import type { OpenedSource } from './caller.js'
import { fileNamed, sendFile } from './files.js'
import { addReading, inPath, type Playback } from './playback.js'
import { immutableUntil } from './send-object.js'
import { partIn, sendSegment } from './send-segment.js'
import { checkStillSeen, withPlaylists } from './videos.js'

/**
 * Segments and files at addresses that viewers share. Who may watch was checked when the address was made. What is the same
 * for all viewers is checked here: the video is shown, in this format, and still open to everybody if it was.
 */
export function addFilms(app: FastifyInstance, playback: Playback): void {
  addReading(app, '/films/:source_id/:track/:seal/:file', async (request, reply) => {
    const opened = await openedFilm(playback, request)
    const file = fileNamed(inPath(request, 'track'), inPath(request, 'file'))
    if (file) return sendFile(playback, opened, file, request, reply)
    const source = withPlaylists(opened.source, opened.wanted)
    return sendSegment(playback, { ...opened, source }, partIn(request), request, reply)
  })
}

const notOurs = () => forbidden('This address has expired, or is not one of ours. Ask for the video again.')

async function openedFilm({ parts }: Playback, request: FastifyRequest): Promise<OpenedSource> {
  const [source_id, track, seal] = ['source_id', 'track', 'seal'].map((name) => inPath(request, name)) as [
    string,
    string,
    string,
  ]
  const claims = openFilm(parts.sealer, { source_id, track, seal })
  if (!claims) throw notOurs()
  const { encrypted, is_admitted, expires } = claims
  const find = async () => {
    const source = await findSourceById(parts.cache, parts.database.db, source_id)
    if (!source) throw notFound('video')
    const anybody = { site_id: source.site_id, sees_hidden: false, consumer_id: '', grant: '', is_admitted }
    const { address, place } = surroundingsOf(request)
    // A rule that is newer than the address. Neither the device nor the site is known.
    const watching = { geo: request.geo, surroundings: { address, place } }
    const { wanted, isRuled, isShared } = await checkStillSeen(parts, anybody, watching, source.video_id)
    // The channel no longer shares the addresses of a video that not everybody may watch.
    if (is_admitted && !isShared && !isRuled) throw notOurs()
    return { wanted, source, encrypted, expires, caching: immutableUntil(expires, !isRuled) }
  }
  return whileAlive(parts.database, find(), () => unavailable(undefined))
}
