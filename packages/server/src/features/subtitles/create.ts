import { newId } from '../../lib/object-id.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { insert } from '../../resources/store.js'
import { checkCount, holdVideo, makeRoom } from './among-others.js'
import { fileColumns } from './file.js'
import { readLanguage, usualTitle } from './language.js'

/** The file becomes WebVTT, and the subtitle takes its place among the others of its video. */
export async function createSubtitle({ parts, resource, scope, body }: Call) {
  const _id = newId()
  const { active = true, default: isDefault = false, forced = false } = body
  const language = readLanguage(String(body.language))
  const title = String(body.title ?? usualTitle(language, forced === true))
  const standing = { title, active: active === true, default: isDefault === true }
  const file = fileColumns(parts, _id, body)
  const record = await parts.database.transaction(async (tx) => {
    await holdVideo(tx, scope)
    await checkCount(tx, scope)
    await makeRoom(tx, scope, _id, standing)
    return insert(tx, parts.sealer, resource, scope, { _id, language, forced, ...standing, ...file })
  })
  return answer(record)
}
