import type { AdBreak } from './ads.js'
import type { Chapter } from './chapters.js'
import type { ProblemCode } from './problems.js'

/** All a player can be told; the attributes of `<zoetrope-player>`, in camelCase. */
export interface PlayerOptions {
  readonly videoId?: string
  /** Address of the HLS playlist. Without it, the status address says when there is one. */
  readonly src?: string
  /** Address of an MP4 or WebM, for browsers that cannot play HLS. */
  readonly file?: string
  readonly poster?: string
  readonly title?: string
  /** Where to learn how far an unready video is, and its new address when one has expired. */
  readonly statusUrl?: string
  /** Where to tell how much is watched. Without it, nobody is told. */
  readonly beacon?: string
  /** When to tell the page that there may be advertisements. */
  readonly ads?: readonly AdBreak[]
  /** Every how many plays there are any; at every play without it. */
  readonly adsEvery?: number
  /** Whether all plays are counted for that, or those of each video by themselves. */
  readonly adsScope?: 'library' | 'video'
  /** WebVTT with a picture for every stretch of the scrub bar. */
  readonly storyboard?: string
  /** Its parts, for marks on the scrub bar, their titles above it, and a menu. */
  readonly chapters?: readonly Chapter[]
  /** Seconds to start at. Without it, where the viewer last stopped. */
  readonly start?: number
  readonly autoplay?: boolean
  readonly muted?: boolean
  readonly loop?: boolean
  /** False for a picture without anything to press. */
  readonly controls?: boolean
  /** Such as 9/16, if it is known before the video is. */
  readonly aspectRatio?: string
  /** Colour of the scrub bar. */
  readonly accent?: string
  /** Address of a picture for the corner. */
  readonly logo?: string
  /** Why there is nothing to play, if that is known already. */
  readonly problem?: ProblemCode
  /** What to tell the viewer about it. */
  readonly message?: string
  /** The server's own word for it, such as subscription_required. */
  readonly reason?: string
}

const attributes: Record<Exclude<keyof PlayerOptions, 'controls'>, string> = {
  videoId: 'video-id',
  src: 'src',
  file: 'file',
  poster: 'poster',
  title: 'title',
  statusUrl: 'status-url',
  beacon: 'beacon',
  ads: 'ads',
  adsEvery: 'ads-every',
  adsScope: 'ads-scope',
  storyboard: 'storyboard',
  chapters: 'chapters',
  start: 'start',
  autoplay: 'autoplay',
  muted: 'muted',
  loop: 'loop',
  aspectRatio: 'aspect-ratio',
  accent: 'accent',
  logo: 'logo',
  problem: 'problem',
  message: 'message',
  reason: 'reason',
}

/** The one flag that is on unless it is named. */
const noControls = 'no-controls'

export const attributeNames: readonly string[] = [...Object.values(attributes), noControls]

const textOf = (value: unknown): string =>
  value === true ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Sets the attributes the options name, and leaves the others. */
export function applyOptions(element: Element, options: PlayerOptions): void {
  if (options.controls !== undefined) element.toggleAttribute(noControls, !options.controls)
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = options[name as keyof PlayerOptions]
    if (value === undefined) continue
    if (value === false) element.removeAttribute(attribute)
    else element.setAttribute(attribute, textOf(value))
  }
}
