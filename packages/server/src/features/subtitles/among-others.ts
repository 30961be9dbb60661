import type { Db } from '../../db/database.js'
import { invalid, notFound } from '../../errors.js'
import type { Scope } from '../../resources/store.js'

/** The fields that depend on the other subtitles of a video. */
export interface SubtitleState {
  readonly title: string
  readonly active: boolean
  readonly default: boolean
}

/** Locks a video, so that concurrent changes to its subtitles stay consistent. */
export async function holdVideo(tx: Db, { site_id, video_id = '' }: Scope): Promise<void> {
  const [video] = await tx`
    select from videos where site_id = ${site_id} and _id = ${video_id} and deleted_at is null for no key update
  `
  if (!video) throw notFound('video')
}

/** Keeps the titles of active subtitles unique, and at most one of them the default, as players require. */
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
