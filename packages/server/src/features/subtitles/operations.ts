import { type BodyOf, type Catalog, catalog, limits } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { invalid, notFound } from '../../errors.js'
import { usualTitle } from '../../films/subtitle-columns.js'
import { newId } from '../../lib/object-id.js'
import { shiftCues, shiftRange } from '../../media/shift-cues.js'
import type { Parts } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { insert, type Scope, update } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { checkNumber } from '../check-number.js'
import { holdVideo, makeRoom, type SubtitleState } from './among-others.js'
import { fileColumns } from './file.js'

const most = limits.subtitles.value

type NewSubtitle = BodyOf<Catalog['subtitles'], 'create'>

/** Creates a subtitle and converts its file to WebVTT. A new default replaces the old one. */
export async function createSubtitle({ parts, scope, body }: CallOf<'subtitles', 'create'>) {
  const add = prepareSubtitle(parts, body)
  return answer(await parts.database.transaction((tx) => add(tx, scope)))
}

/** Reads a new subtitle and its file. Returns the function that adds it to a video. */
export function prepareSubtitle(parts: Pick<Parts, 'sealer' | 'playerUrl'>, body: NewSubtitle) {
  const _id = newId()
  const { active = true, default: isDefault = false, forced = false } = body
  const { language } = body
  const title = body.title ?? usualTitle(language, forced)
  const state = { title, active, default: isDefault }
  const file = fileColumns(parts, _id, body)
  return async (tx: Db, scope: Scope): Promise<string> => {
    await holdVideo(tx, scope)
    await checkNumber(
      tx,
      'subtitles',
      scope,
      most,
      `A video has at most ${most} subtitles. Remove one first.`,
    )
    await makeRoom(tx, scope, _id, state)
    return insert(tx, catalog.subtitles, scope, { _id, language, forced, ...state, ...file })
  }
}

interface Now extends SubtitleState {
  readonly language: string
  readonly forced: boolean
}

/** Updates a subtitle and converts a new file to WebVTT. A new default replaces the old one. */
export async function updateSubtitle({ parts, resource, scope, id, body }: CallOf<'subtitles', 'update'>) {
  const { file: _, extension_type: __, ...given } = body
  const file = fileColumns(parts, id, body)
  const record = await parts.database.transaction(async (tx) => {
    await holdVideo(tx, scope)
    const [now] = await tx<Now[]>`
      select language, title, active, "default", forced from subtitles
      where site_id = ${scope.site_id} and video_id = ${scope.video_id ?? ''} and _id = ${id}
    `
    if (!now) throw notFound(resource.name)
    const next = { ...now, ...(given as Partial<Now>) }
    const title = given.title === undefined ? titleAfter(now, next) : next.title
    await makeRoom(tx, scope, id, { ...next, title })
    return update(tx, resource, scope, id, { ...given, title, ...file })
  })
  if (!record) throw notFound(resource.name)
  return answer(record)
}

/** Returns the new default title if the old title was the default, and the old title otherwise. */
const titleAfter = (now: Now, next: Now): string =>
  now.title === usualTitle(now.language, now.forced) ? usualTitle(next.language, next.forced) : now.title

/** Shifts all cues of a subtitle in time. The stored file becomes WebVTT. */
export async function shiftSubtitle({ parts, resource, scope, id, body }: CallOf<'subtitles', 'shift'>) {
  const by = Math.round(body.seconds * 1000)
  const record = await parts.database.transaction(async (tx) => {
    await holdVideo(tx, scope)
    const [now] = await tx<{ vtt: string; file_file_name: string | null }[]>`
      select vtt, file_file_name from subtitles
      where site_id = ${scope.site_id} and video_id = ${scope.video_id ?? ''} and _id = ${id}
    `
    if (!now) throw notFound(resource.name)
    checkRange(now.vtt, by)
    const file = Buffer.from(shiftCues(now.vtt, by)).toString('base64')
    const columns = fileColumns(parts, id, { ...now, file, extension_type: 'vtt' })
    return update(tx, resource, scope, id, columns)
  })
  return answer(record ?? '{}')
}

function checkRange(vtt: string, by: number): void {
  const { least, most } = shiftRange(vtt)
  if (by >= least && by <= most) return
  const why =
    by < least
      ? `must be ${least / 1000} or more: its first line would begin before the video`
      : `must be ${most / 1000} or less: times go up to 99 hours`
  throw invalid(`Could not shift the subtitle: seconds ${why}.`, { seconds: [why] })
}
