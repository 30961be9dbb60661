import { slug } from '@zoetrope/contract'
import type { Video } from '../../data/records.js'

export type NamedVideo = Pick<Video, '_id' | 'title' | 'friendly_title'>

/** A slug that differs from that of another video with the same title, as the server makes it. */
export const distinctSlug = (title: string, id: string): string => `${slug(title)}-${id.slice(-8)}`

/** Whether a slug was generated from this title, not typed. */
const isMadeFrom = (word: unknown, title: unknown, id: string): boolean =>
  word === slug(String(title ?? '')) || word === distinctSlug(String(title ?? ''), id)

/** Whether viewers can see the video now, so that links to its slug may exist. */
export const isSeen = ({ active, playable_at }: Pick<Video, 'active' | 'playable_at'>): boolean =>
  active && playable_at !== null

/** The slug for a title: the saved slug if the title is the saved one, otherwise a generated slug. */
export const slugFor = (video: NamedVideo, title: string): string =>
  title === video.title ? video.friendly_title : slug(title)

/** Whether the slug in the form still matches the title, so that it may follow the title. */
export const comesFromTitle = (video: NamedVideo, values: Readonly<Record<string, unknown>>): boolean =>
  isMadeFrom(values.friendly_title, values.title, video._id)

/** Updates the slug with the title until viewers can see the video, unless the slug was typed. */
export function followTitle(
  video: NamedVideo & Pick<Video, 'active' | 'playable_at'>,
  name: string,
  value: unknown,
  before: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const follows = name === 'title' && !isSeen(video) && comesFromTitle(video, before)
  return follows ? { friendly_title: slugFor(video, String(value ?? '')) } : {}
}
