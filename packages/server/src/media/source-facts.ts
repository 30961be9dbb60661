import type { Fraction } from './fraction.js'

/** All that is known about a source, and all that plans are made from. */
export interface SourceFacts {
  /** ffmpeg's first name for it: mov, matroska, avi… */
  readonly container: string
  readonly bytes: number
  /** Seconds of the presentation. */
  readonly duration: number
  /** Seconds from the beginning of the file to that of its pictures, if these are not the first and not much later. */
  readonly lead?: number
  /** Seconds from the beginning of the file to its first picture, if that is much later; it is shown from the start. */
  readonly delay?: number
  readonly video?: VideoFacts
  readonly audio?: AudioFacts
}

export interface VideoFacts {
  /** Which stream of the file; pictures of a cover are not counted as video. */
  readonly index: number
  readonly codec: string
  readonly profile?: string
  readonly level?: number
  readonly pixelFormat: string
  /** As shown: turned upright, with square pixels. */
  readonly width: number
  readonly height: number
  readonly codedWidth: number
  readonly codedHeight: number
  readonly rotation: 0 | 90 | 180 | 270
  readonly hasSquarePixels: boolean
  /** Of the result: the source's own if constant and at most 60, else the nearest standard one. */
  readonly frameRate: Fraction
  readonly hasConstantRate: boolean
  readonly isHdr: boolean
  readonly isInterlaced: boolean
  readonly duration: number
  readonly bitrate?: number
  /** Of H.264: profile, constraints and level as the file declares them, six hexadecimal digits. */
  readonly avc?: string
  /** Seconds from the start, in order; undefined if they cannot be learnt cheaply. */
  readonly keyFrames?: readonly number[]
}

export interface AudioFacts {
  readonly index: number
  readonly codec: string
  readonly profile?: string
  readonly channels: number
  /** ffmpeg's name for how they are arranged: stereo, 5.1, 5.1(side). */
  readonly layout?: string
  /** BCP 47, where the file says it. */
  readonly language?: string
  readonly sampleRate: number
  /** How many audio streams there are; the first is used. */
  readonly tracks: number
  readonly bitrate?: number
  /** Where times are rounded to milliseconds: the samples of a frame, and where the first begins, in samples. */
  readonly rounded?: { readonly frame: number; readonly begin: number }
  /** For AAC in MP4 without a gap: how many frames of 1024 samples, and where the first begins (encoders start below 0). */
  readonly aacFrames?: { readonly count: number; readonly firstSample: number }
}

export type RefusalCode =
  | 'not_media'
  | 'empty'
  | 'no_streams'
  | 'too_long'
  | 'too_large_picture'
  | 'too_many_tracks'
  | 'unknown_codec'
  | 'encrypted'
  | 'damaged'
  | 'incomplete'

/** The source cannot be published, and will not be however often it is tried. The message is for its publisher. */
export class SourceRefused extends Error {
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** What a source may be at most. */
export const sourceLimits = {
  seconds: 24 * 60 * 60,
  side: 8192,
  tracks: 64,
  channels: 64,
  keyFrames: 500_000,
  /** An index of an MP4 larger than this is not read for its key frames. */
  indexBytes: 128 * 1024 * 1024,
  /** Containers without an index are read whole for their key frames up to this size. */
  scannedBytes: 256 * 1024 * 1024,
  probeSeconds: 30,
} as const
