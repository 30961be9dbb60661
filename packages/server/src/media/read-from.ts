import { toNumber } from './fraction.js'
import type { SourceFacts } from './source-facts.js'

/** Containers where a seek ends at any picture, and not at one that can be decoded by itself. */
const withoutIndex: ReadonlySet<string> = new Set(['mpegts', 'mpeg'])

/** Where the key frames are not known, one is within this time. */
const longestGroup = 10
/** A picture is decoded a few frames before it is shown, and found by that time. */
const framesEarlier = 4

/** How many seconds before a picture the file has to be read, for the picture to be decoded. */
export function readingLead({ container, video }: SourceFacts, seconds: number): number {
  if (!video || !withoutIndex.has(container)) return 0
  const keyFrame = video.keyFrames?.findLast((time) => time <= seconds) ?? seconds - longestGroup
  return Math.max(0, Math.min(seconds, seconds - keyFrame + framesEarlier / toNumber(video.frameRate)))
}
