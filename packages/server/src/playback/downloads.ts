import type { FastifyInstance } from 'fastify'
import { forbidden, notFound, unavailable } from '../errors.js'
import { findSourceFile, openDownload } from '../films/source-download.js'
import { asAttachment } from '../lib/as-attachment.js'
import { whileAlive } from '../lib/while-alive.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import { addReading, inPath, type Playback, uncached } from './playback.js'
import { redirectToStore } from './redirect.js'
import { sendStored } from './send-object.js'

/** Original files, for anyone with the signed address. */
export function addDownloads(app: FastifyInstance, playback: Playback): void {
  const { parts, media } = playback
  const { storage } = media
  addReading(app, '/downloads/:token', async (request, reply) => {
    const claims = openDownload(parts.sealer, inPath(request, 'token'))
    if (!claims)
      throw forbidden('This address has expired, or is not one of ours. Ask for the download again.')
    const { db } = parts.database
    const finding = findSourceFile(db, claims.site_id, claims.video_id, claims.source_id)
    const file = await whileAlive(parts.database, finding, () => unavailable(undefined))
    const key = sourceKey(claims.source_id)
    const stored = { stat: () => storage.stat(key), read: storage.read.bind(storage, key) }
    const headers = {
      ...uncached,
      'content-disposition': asAttachment(file?.name ?? ''),
      // An uploaded file must not run as a page of our origin.
      'content-security-policy': "default-src 'none'; sandbox",
    }
    const disposition = headers['content-disposition']
    const atStore = { key, expires: claims.expires, caching: uncached, disposition }
    const sent =
      file &&
      ((await redirectToStore(playback, request, reply, { ...atStore, type: file.type })) ||
        (await sendStored(request, reply, stored, file.type, headers)))
    if (!sent) throw notFound('file')
    return reply
  })
}
