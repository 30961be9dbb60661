import type { Db } from '../db/database.js'

/** Which files a video is made from. */
export interface VideoSources {
  readonly status: string
  /** What is published, or is to be. */
  readonly media_source_id: string | null
  /** What takes its place once it can be played. */
  readonly pending_source_id: string | null
}

/** The video, and nobody else changes its sources until the transaction is over. Locked before any of its sources. */
export async function lockVideo(
  tx: Db,
  site_id: string,
  video_id: string,
): Promise<VideoSources | undefined> {
  const [video] = await tx<VideoSources[]>`
    select status, media_source_id, pending_source_id from videos
    where site_id = ${site_id} and _id = ${video_id} and deleted_at is null for update
  `
  return video
}

/** Whether viewers have something to watch, which a new film must not take from them. */
export const isPlaying = ({ status, media_source_id }: VideoSources): boolean =>
  status === 'ready' && media_source_id !== null

/** From now on no video is made from the others: they are kept for as long as addresses that were signed for them work. */
export async function retireOthers(
  tx: Db,
  site_id: string,
  video_id: string,
  kept: readonly (string | null)[],
): Promise<void> {
  await tx`
    update sources set replaced_at = now(), updated_at = now()
    where site_id = ${site_id} and video_id = ${video_id} and replaced_at is null
      and _id <> all(${kept.filter((each) => each !== null)}::text[])
  `
}
