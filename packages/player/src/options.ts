import type { AdBreak } from './ads.js'
import type { Chapter } from './chapters.js'
import type { ProblemCode } from './problems.js'
import type { SubtitleFile } from './transcript-lines.js'

/** All options of a player: the attributes of `<zoetrope-player>`, in camelCase. */
export interface PlayerOptions {
  readonly videoId?: string
  /** URL of the HLS playlist. Without it, the status URL says when there is one. */
  readonly src?: string
  /** URL of an MP4 or WebM, for browsers that cannot play HLS. */
  readonly file?: string
  readonly poster?: string
  readonly title?: string
  /** URL for the progress of a video that is not ready, and for a new playlist URL after one expires. */
  readonly statusUrl?: string
  /** URL for reporting how much is watched. Without it, nothing is reported. */
  readonly beacon?: string
  /** The ad breaks, at which the page gets an event. */
  readonly ads?: readonly AdBreak[]
  /** Breaks happen in every n-th play; in every play by default. */
  readonly adsEvery?: number
  /** Whether `adsEvery` counts all plays together or those of each video separately. */
  readonly adsScope?: 'library' | 'video'
  /** URL of a WebVTT file with a picture for each part of the scrub bar. */
  readonly storyboard?: string
  /** Chapters, for marks on the scrub bar, their titles above it, and a menu. */
  readonly chapters?: readonly Chapter[]
  /** Subtitles as WebVTT files, for the transcript. */
  readonly subtitles?: readonly SubtitleFile[]
  /** Shows the transcript from the start, if there are subtitles. */
  readonly transcript?: boolean
  /** The address of a page with this video. The menu offers it with the current time. */
  readonly shareUrl?: string
  /** Keys work while nothing on the page has the focus. For pages that are only about this video. */
  readonly pageKeys?: boolean
  /** There is only sound, so artwork is shown instead of a picture. */
  readonly audio?: boolean
  /** Seconds to start at. By default, where the viewer last stopped. */
  readonly start?: number
  readonly autoplay?: boolean
  readonly muted?: boolean
  readonly loop?: boolean
  /** False to hide all controls. */
  readonly controls?: boolean
  /** Aspect ratio such as 9/16, if it is known before the video is loaded. */
  readonly aspectRatio?: string
  /** Colour of the scrub bar. */
  readonly accent?: string
  /** URL of a logo for the corner. */
  readonly logo?: string
  /** The reason why nothing can be played, if the page already knows it. */
  readonly problem?: ProblemCode
  /** The message about the problem for the viewer. */
  readonly message?: string
  /** The server's error code, such as subscription_required. */
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
  subtitles: 'subtitles',
  transcript: 'transcript',
  shareUrl: 'share-url',
  pageKeys: 'page-keys',
  audio: 'audio',
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

/** The only option that is on by default. */
const noControls = 'no-controls'

export const attributeNames: readonly string[] = [...Object.values(attributes), noControls]

const textOf = (value: unknown): string =>
  value === true ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Sets the attributes for the given options, and leaves the others unchanged. */
export function applyOptions(element: Element, options: PlayerOptions): void {
  if (options.controls !== undefined) element.toggleAttribute(noControls, !options.controls)
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = options[name as keyof PlayerOptions]
    if (value === undefined) continue
    if (value === false) element.removeAttribute(attribute)
    else element.setAttribute(attribute, textOf(value))
  }
}
