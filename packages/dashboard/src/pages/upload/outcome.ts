import type { Video } from '../../data/records.js'
import type { UploadItem } from '../../data/upload-list.js'

/** What the server knows of a video whose film was uploaded. */
export type Followed = Pick<Video, '_id' | 'status' | 'status_reason' | 'data_sources'>

/** What has become of a file whose bytes have arrived. */
export type Outcome = 'unknown' | 'making' | 'playable' | 'failed' | 'gone'

/** A film that replaces another is made while the other plays, and the record of the video says so in its sources. */
export function outcomeOf(video: Followed | undefined): Outcome {
  if (!video) return 'unknown'
  if (video.status === 'deleted') return 'gone'
  if (video.data_sources.some(({ status }) => status === 'processing')) return 'making'
  if (video.status === 'failed' || video.status_reason !== null) return 'failed'
  return video.status === 'ready' ? 'playable' : 'making'
}

/** Whether it will not change any more by itself. */
export const isSettled = (outcome: Outcome): boolean => outcome !== 'unknown' && outcome !== 'making'

/** How many of the files are in which state, for the line above them. */
export function countOutcomes(
  items: readonly Pick<UploadItem, 'state' | 'videoId'>[],
  videos: ReadonlyMap<string, Followed>,
) {
  const done = items.filter(({ state }) => state === 'done')
  const outcomes = done.map(({ videoId }) => outcomeOf(videos.get(videoId ?? '')))
  const count = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length
  return {
    done: done.length,
    playable: count('playable'),
    failed: count('failed') + items.filter(({ state }) => state === 'failed').length,
  }
}
