import { limits } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { invalid, notFound } from '../../errors.js'
import type { Scope } from '../../resources/store.js'

/** What a subtitle must agree on with the others of its video. */
export interface SubtitleState {
  readonly title: string
  readonly active: boolean
  readonly default: boolean
}

/** One at a time changes the subtitles of a video, so that they agree with each other afterwards. */
export async function holdVideo(tx: Db, { site_id, video_id = '' }: Scope): Promise<void> {
  const [video] = await tx`
    select from videos where site_id = ${site_id} and _id = ${video_id} and deleted_at is null for no key update
  `
  if (!video) throw notFound('video')
}

export async function checkCount(tx: Db, { site_id, video_id = '' }: Scope): Promise<void> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from subtitles where site_id = ${site_id} and video_id = ${video_id}
  `
  const most = limits.subtitles.value
  if ((row?.count ?? 0) >= most) throw invalid(`A video has at most ${most} subtitles. Remove one first.`)
}

/** Players tell the active ones apart by their titles, and show one of them unasked at most. */
export async function makeRoom(
  tx: Db,
  { site_id, video_id = '' }: Scope,
  _id: string,
  { title, active, default: isDefault }: SubtitleState,
): Promise<void> {
  if (!active) return
  const [taken] = await tx`
    select from subtitles
    where site_id = ${site_id} and video_id = ${video_id} and active and title = ${title} and _id <> ${_id}
  `
  if (taken)
    throw invalid(
      `Could not save subtitle: this video has an active subtitle called ${JSON.stringify(title)} already. Change that one, or give this one another title.`,
      { title: ['is the title of another active subtitle of this video'] },
    )
  if (!isDefault) return
  await tx`
    update subtitles set "default" = false, updated_at = now()
    where site_id = ${site_id} and video_id = ${video_id} and active and "default" and _id <> ${_id}
  `
}
