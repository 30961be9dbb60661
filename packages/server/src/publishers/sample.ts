import { authorOf } from '../auth/actor.js'
import { ApiError, invalid } from '../errors.js'
import { prepareSubtitle } from '../features/subtitles/operations.js'
import { insertWithParts } from '../features/videos/write.js'
import { announceVideo } from '../films/insert-video.js'
import { claimRoom } from '../films/quota.js'
import { recordSource } from '../films/sources.js'
import { newId, newUnguessableId } from '../lib/object-id.js'
import { runFfmpeg } from '../media/run-ffmpeg.js'
import { sampleChapters, samplePlan } from '../media/sample-args.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import type { Digested } from '../storage/storage.js'
import type { EndpointResult, InChannel } from './request.js'
import { sampleFields, sampleSubtitles } from './sample-texts.js'

const limits = { seconds: 120, outputBytes: 50_000_000 }
/** The channels for which a sample is being made. */
const busyChannels = () => new Set<string>()

/** Generates a short film with chapters and subtitles, so that a new channel has something to play. */
export async function makeSample(visit: InChannel): Promise<EndpointResult<{ response: { _id: string } }>> {
  const { parts, siteId } = visit
  const busy = parts.cache(busyChannels)
  if (busy.has(siteId)) throw invalid('A sample is already being made. It takes some seconds.')
  busy.add(siteId)
  try {
    return { status: 201, body: { response: JSON.parse(await upload(visit)) } }
  } finally {
    busy.delete(siteId)
  }
}

async function upload({ parts, media, siteId: site_id, role, session }: InChannel): Promise<string> {
  const { database } = parts
  const [_id, video_id] = [newUnguessableId(), newId()]
  const created_by = authorOf({ kind: role, publisherId: session.user._id })
  const file = await draw(media, _id)
  const source = { ...file, _id, site_id, file_name: 'sample.mp4' }
  const subtitles = sampleSubtitles.map((each) => prepareSubtitle(parts, each))
  try {
    const record = await database.transaction(async (tx) => {
      await claimRoom(tx, media, site_id, source.size)
      const fields = { ...sampleFields, keywords: [...sampleFields.keywords], segments: sampleChapters }
      await insertWithParts(tx, { site_id }, { ...fields, created_by }, video_id)
      for (const add of subtitles) await add(tx, { site_id, video_id })
      return recordSource(tx, source, video_id)
    })
    await media.lease.noteArrival()
    await announceVideo(parts, { site_id }, {})
    return record
  } catch (error) {
    // After any other failure the row may still have been written.
    if (error instanceof ApiError && error.status < 500) await media.storage.remove(sourceKey(_id))
    throw error
  }
}

async function draw({ storage, ...media }: InChannel['media'], _id: string): Promise<Digested> {
  const ffmpeg = media.ffmpeg.current()
  if (!ffmpeg) throw new ApiError(503, media.ffmpeg.problem())
  let stored: Digested | undefined
  await runFfmpeg(ffmpeg, samplePlan(), {
    limits,
    outputs: [
      async (bytes) => {
        stored = await storage.put(sourceKey(_id), bytes, { maxBytes: limits.outputBytes })
      },
    ],
  })
  if (!stored?.size) throw new Error('ffmpeg made no sample')
  return stored
}
