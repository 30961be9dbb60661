import { Readable } from 'node:stream'
import type { BodyOf, Catalog } from '@zoetrope/contract'
import { ApiError, couldNotSave, invalid, notFound } from '../../errors.js'
import {
  checkTrackCount,
  clearOtherDefaults,
  hasDefault,
  holdVideoOf,
  keepDefault,
} from '../../films/audio-tracks.js'
import { enqueuePrepareAudio } from '../../films/film-jobs.js'
import { followFormatsOf } from '../../films/formats.js'
import { claimRoom, roomOf } from '../../films/quota.js'
import { countArrival } from '../../films/sources.js'
import { cleanFileName } from '../../lib/file-name.js'
import { newId, newUnguessableId } from '../../lib/object-id.js'
import { sourceKey } from '../../media-segments/segment-keys.js'
import type { Call, Parts } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { find, insert, remove, type Scope, update } from '../../resources/store.js'
import type { Digested } from '../../storage/storage.js'
import { base64Bytes } from '../base64.js'
import type { CallOf } from '../call-of.js'

type NewTrack = BodyOf<Catalog['audio_tracks'], 'create'>

/** A stored file that is to become an audio track. */
export interface AudioFile extends Digested {
  readonly file_id: string
  readonly file_name: string | undefined
}

/** Creates an audio track from a file in the body. Large files come through `uploads/audio-track.ts`. */
export async function createAudioTrack(call: CallOf<'audio_tracks', 'create'>) {
  const { parts, scope, body } = call
  const { storage } = parts.files
  const bytes = bytesOf(body.file)
  const room = await roomOf(parts.database.db, parts.files, scope.site_id)
  if (bytes.length > room.bytes) throw room.refusal
  const file_id = newUnguessableId()
  const digested = await storage.put(sourceKey(file_id), Readable.from([bytes]))
  return answer(await recordAudioTrack(call, body, { ...digested, file_id, file_name: undefined }))
}

function bytesOf(given: string | null | undefined): Buffer {
  const bytes = given ? base64Bytes(given) : undefined
  if (bytes && bytes.length > 0) return bytes
  throw couldNotSave('audio track', 'file', given ? 'must be written as base64' : 'is missing')
}

/** Makes a stored file an audio track and has it prepared. If that is refused, the file is removed. */
export async function recordAudioTrack(
  { parts, resource, scope }: Pick<Call, 'parts' | 'resource' | 'scope'>,
  body: NewTrack,
  stored: AudioFile,
): Promise<string> {
  const { file_id, file_name, size, sha256 } = stored
  try {
    const { file: _, ...given } = body
    const columns = {
      ...given,
      ...languageIn(given.language),
      ...{ file_id, bytes: size, sha256 },
      file_file_name: given.file_file_name ?? (file_name ? cleanFileName(file_name) : null),
    }
    const record = await parts.database.transaction(async (tx) => {
      await holdVideoOf(tx, scope)
      await checkTrackCount(tx, scope)
      await claimRoom(tx, parts.files, scope.site_id, size)
      const _id = newId()
      // It is known before the row is written, so that a new track is one event.
      const isDefault = body.active !== false && (body.default === true || !(await hasDefault(tx, scope)))
      await insert(tx, resource, scope, { ...columns, default: isDefault, _id })
      if (isDefault) await clearOtherDefaults(tx, scope, _id)
      await enqueuePrepareAudio(tx, { site_id: scope.site_id, audio_track_id: _id })
      await countArrival(tx)
      return (await find(tx, resource, scope, _id)) ?? '{}'
    })
    await parts.files.lease.noteArrival()
    return record
  } catch (error) {
    // After any other failure the row may still have been written; if not, the file is swept up later.
    if (error instanceof ApiError && error.status < 500) await parts.files.storage.remove(sourceKey(file_id))
    throw error
  }
}

const languageIn = (given: string | null | undefined) =>
  given === undefined ? {} : { language: given || null }

/** Updates an audio track. A new default replaces the old one. */
export async function updateAudioTrack(call: CallOf<'audio_tracks', 'update'>) {
  const { parts, resource, scope, id, body } = call
  const { file, ...given } = body
  if (file) throw couldNotSave('audio track', 'file', 'cannot be replaced; upload it as another audio track')
  const columns = { ...given, ...languageIn(given.language) }
  const record = await parts.database.transaction(async (tx) => {
    await holdVideoOf(tx, scope)
    const before = await stateOf(call, tx)
    await update(tx, resource, scope, id, columns)
    if (body.default) await clearOtherDefaults(tx, scope, id)
    await keepDefault(tx, scope)
    // What is hidden is not made, and what is shown again may be missing.
    if (body.active !== undefined && body.active !== before.active)
      await followFormatsOf(tx, scope.site_id, scope.video_id ?? '')
    return find(tx, resource, scope, id)
  })
  return answer(record ?? '{}')
}

/** Removes an uploaded audio track. Its file is swept up, and its segments when signed addresses have expired. */
export async function removeAudioTrack(call: Call) {
  const { parts, resource, scope, id } = call
  await parts.database.transaction(async (tx) => {
    await holdVideoOf(tx, scope)
    const { origin } = await stateOf(call, tx)
    if (origin === 'film')
      throw invalid(
        'This audio track is part of the video file. To hide it from viewers, set active to false.',
      )
    await remove(tx, resource, scope, id)
    await keepDefault(tx, scope)
    await followFormatsOf(tx, scope.site_id, scope.video_id ?? '')
  })
  return undefined
}

interface TrackState {
  readonly active: boolean
  readonly origin: 'film' | 'upload'
}

async function stateOf(
  {
    resource,
    scope,
    id,
  }: { readonly resource: Call['resource']; readonly scope: Scope; readonly id: string },
  tx: Parts['database']['db'],
): Promise<TrackState> {
  const [now] = await tx<TrackState[]>`
    select active, origin from audio_tracks
    where site_id = ${scope.site_id} and video_id = ${scope.video_id ?? ''} and _id = ${id} for update
  `
  if (!now) throw notFound(resource.name)
  return now
}
