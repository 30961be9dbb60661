import type { Video } from '../../data/records.js'
import type { UploadItem } from '../../data/upload-list.js'

/** The state of a video whose film was uploaded. */
export type Followed = Pick<Video, '_id' | 'status' | 'status_reason' | 'data_sources'>

/** What happened to a file after its upload finished. */
export type Outcome = 'unknown' | 'making' | 'playable' | 'failed' | 'gone'

/**
 * The outcome of an upload. A replacement film is encoded while the old one plays, so its progress is in the video's
 * data sources.
 */
export function outcomeOf(video: Followed | undefined): Outcome {
  if (!video) return 'unknown'
  if (video.status === 'deleted') return 'gone'
  if (video.data_sources.some(({ status }) => status === 'processing')) return 'making'
  if (video.status === 'failed' || video.status_reason !== null) return 'failed'
  return video.status === 'ready' ? 'playable' : 'making'
}

/** Whether the outcome is final. */
export const isSettled = (outcome: Outcome): boolean => outcome !== 'unknown' && outcome !== 'making'

/** Counts the files by state, for the summary line. */
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
