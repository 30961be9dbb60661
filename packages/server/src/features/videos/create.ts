import { authorOf } from '../../films/author.js'
import { hasAddress, importFor } from '../../films/imports/start-import.js'
import { announceVideo } from '../../films/insert-video.js'
import { newId } from '../../lib/object-id.js'
import { answer } from '../../resources/standard.js'
import type { CallOf } from '../call-of.js'
import { insertWithParts, showImages } from './write.js'

/** Creates a video with its nested records. With a `source_url`, imports its film. */
export async function createVideo({ parts, principal, scope, body }: CallOf<'videos', 'create'>) {
  const { database } = parts
  const _id = newId()
  const record = await database.transaction(async (tx) => {
    const made = await insertWithParts(tx, scope, { ...body, created_by: authorOf(principal) }, _id)
    const shown = await showImages(tx, parts, scope, _id, body)
    return hasAddress(body) ? importFor(tx, scope, _id, body) : (shown ?? made)
  })
  await announceVideo(parts, scope, body)
  return answer(record)
}
