import { notFound } from '../../errors.js'
import { answer } from '../../resources/standard.js'
import { update } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { holdVideo, makeRoom, type SubtitleState } from './among-others.js'
import { fileColumns } from './file.js'
import { readLanguage, usualTitle } from './language.js'

interface Now extends SubtitleState {
  readonly language: string
  readonly forced: boolean
}

/** Updates a subtitle and converts a new file to WebVTT. A new default replaces the old one. */
export async function updateSubtitle({ parts, resource, scope, id, body }: CallOf<'subtitles', 'update'>) {
  const { file: _, extension_type: __, ...given } = body
  const file = fileColumns(parts, id, body)
  const language = body.language === undefined ? {} : { language: readLanguage(body.language) }
  const record = await parts.database.transaction(async (tx) => {
    await holdVideo(tx, scope)
    const [now] = await tx<Now[]>`
      select language, title, active, "default", forced from subtitles
      where site_id = ${scope.site_id} and video_id = ${scope.video_id ?? ''} and _id = ${id}
    `
    if (!now) throw notFound(resource.name)
    const next = { ...now, ...(given as Partial<Now>), ...language }
    const title = given.title === undefined ? titleAfter(now, next) : next.title
    await makeRoom(tx, scope, id, { ...next, title })
    return update(tx, resource, scope, id, { ...given, ...language, title, ...file })
  })
  if (!record) throw notFound(resource.name)
  return answer(record)
}

/** Returns the new default title if the old title was the default, and the old title otherwise. */
const titleAfter = (now: Now, next: Now): string =>
  now.title === usualTitle(now.language, now.forced) ? usualTitle(next.language, next.forced) : now.title
