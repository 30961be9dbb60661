import { toNumber } from './fraction.js'
import type { SourceFacts } from './source-facts.js'

/** Containers in which a seek ends at any picture, not only at one that can be decoded independently. */
const withoutIndex: ReadonlySet<string> = new Set(['mpegts', 'mpeg'])

/** If key frames are unknown, there is one within this time. */
const longestGroup = 10
/** A picture is decoded a few frames before it is shown, and found by its decode time. */
const framesEarlier = 4

/** How many seconds before a picture reading must start for it to be decoded. */
export function readingLead({ container, video }: SourceFacts, seconds: number): number {
  if (!video || !withoutIndex.has(container)) return 0
  const keyFrame = video.keyFrames?.findLast((time) => time <= seconds) ?? seconds - longestGroup
  return Math.max(0, Math.min(seconds, seconds - keyFrame + framesEarlier / toNumber(video.frameRate)))
}
