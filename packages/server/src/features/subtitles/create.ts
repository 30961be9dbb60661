import { newId } from '../../lib/object-id.js'
import { answer } from '../../resources/standard.js'
import { insert } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { checkCount, holdVideo, makeRoom } from './among-others.js'
import { fileColumns } from './file.js'
import { readLanguage, usualTitle } from './language.js'

/** Creates a subtitle and converts its file to WebVTT. A new default replaces the old one. */
export async function createSubtitle({ parts, resource, scope, body }: CallOf<'subtitles', 'create'>) {
  const _id = newId()
  const { active = true, default: isDefault = false, forced = false } = body
  const language = readLanguage(body.language)
  const title = body.title ?? usualTitle(language, forced)
  const state = { title, active, default: isDefault }
  const file = fileColumns(parts, _id, body)
  const record = await parts.database.transaction(async (tx) => {
    await holdVideo(tx, scope)
    await checkCount(tx, scope)
    await makeRoom(tx, scope, _id, state)
    return insert(tx, resource, scope, { _id, language, forced, ...state, ...file })
  })
  return answer(record)
}
