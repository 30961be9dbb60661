import type { Video } from '../../data/records.js'
import type { UploadItem } from '../../data/upload-list.js'

/** The state of a video whose film was uploaded. */
export type Followed = Pick<
  Video,
  '_id' | 'status' | 'status_reason' | 'data_sources' | 'active' | 'enable_at'
>

/** What happened to a file after its upload finished. */
export type Outcome = 'unknown' | 'making' | 'playable' | 'failed' | 'gone' | 'replaced'

/**
 * The outcome of an upload. A replacement film is encoded while the old one plays, so its progress is in the video's
 * data sources.
 */
export function outcomeOf(video: Followed | undefined): Outcome {
  if (!video) return 'unknown'
  if (video.status === 'deleted') return 'gone'
  if (video.data_sources.some(({ status }) => status === 'processing')) return 'making'
  if (video.status === 'failed') return 'failed'
  // A film that waits has a reason, too.
  if (video.status !== 'ready') return 'making'
  return video.status_reason === null ? 'playable' : 'failed'
}

/** Whether the outcome is final. */
export const isSettled = (outcome: Outcome): boolean => outcome !== 'unknown' && outcome !== 'making'

type Sent = Pick<UploadItem, 'state' | 'videoId'>

/** The outcome of one of the files. A later file for the same video takes its place. */
export function outcomeAmong(
  item: Sent,
  items: readonly Sent[],
  videos: ReadonlyMap<string, Followed>,
): Outcome {
  const last = items.findLast(({ videoId }) => videoId === item.videoId)
  if (item.videoId !== undefined && last !== item) return 'replaced'
  return outcomeOf(videos.get(item.videoId ?? ''))
}

/** Counts the files by state, for the summary line. */
export function countOutcomes(items: readonly Sent[], videos: ReadonlyMap<string, Followed>) {
  const done = items.filter(({ state }) => state === 'done')
  const outcomes = done.map((item) => outcomeAmong(item, items, videos))
  const count = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length
  return {
    done: done.length,
    playable: count('playable'),
    failed: count('failed') + items.filter(({ state }) => state === 'failed').length,
  }
}
