import { slug } from '@zoetrope/contract'
import type { Video } from '../../data/records.js'

export type NamedVideo = Pick<Video, '_id' | 'title' | 'friendly_title'>

/** Made distinct from another video with the same title, as the server does it. */
export const distinctSlug = (title: string, id: string): string => `${slug(title)}-${id.slice(-8)}`

/** Whether a slug was made from this title, and not by hand. */
const isMadeFrom = (word: unknown, title: unknown, id: string): boolean =>
  word === slug(String(title ?? '')) || word === distinctSlug(String(title ?? ''), id)

/** Whether viewers can see the video now, so that others may have noted its slug. */
export const isSeen = ({ active, playable_at }: Pick<Video, 'active' | 'playable_at'>): boolean =>
  active && playable_at !== null

/** The slug for another title: what it was for the old title, else what the server makes. */
export const slugFor = (video: NamedVideo, title: string): string =>
  title === video.title ? video.friendly_title : slug(title)

/** Whether a slug still comes from the title beside it, so that it may change along with it. */
export const comesFromTitle = (video: NamedVideo, values: Readonly<Record<string, unknown>>): boolean =>
  isMadeFrom(values.friendly_title, values.title, video._id)

/** Until viewers can see a video its slug follows its title, unless somebody has chosen another one. */
export function followTitle(
  video: NamedVideo & Pick<Video, 'active' | 'playable_at'>,
  name: string,
  value: unknown,
  before: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const follows = name === 'title' && !isSeen(video) && comesFromTitle(video, before)
  return follows ? { friendly_title: slugFor(video, String(value ?? '')) } : {}
}
