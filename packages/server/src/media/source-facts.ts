import type { Fraction } from './fraction.js'

/** Everything known about a source; all plans are made from it. */
export interface SourceFacts {
  /** ffmpeg's first name for it: mov, matroska, avi… */
  readonly container: string
  readonly bytes: number
  /** Seconds of the presentation. */
  readonly duration: number
  /** Seconds from the start of the file to its first picture, if small and not zero. */
  readonly lead?: number
  /**
   * Seconds from the start of the file to its first picture, if large; that picture is shown from the start.
   */
  readonly delay?: number
  readonly video?: VideoFacts
  /** The main audio track. */
  readonly audio?: AudioFacts
  /** The other audio tracks, in the order of the file. */
  readonly moreAudio?: readonly AudioFacts[]
  /** A sentence that names the audio tracks that are not published, and why. */
  readonly audioLeftOut?: string
  /** The subtitles that are text, in the order of the file. */
  readonly subtitles?: readonly SubtitleFacts[]
  /** A sentence that names the subtitles that cannot be imported, and why. */
  readonly subtitlesLeftOut?: string
}

export interface SubtitleFacts {
  /** The stream's index in the file. */
  readonly index: number
  /** Its number among the subtitles, language and title, for notices. */
  readonly name: string
  /** BCP 47, if the file declares it. */
  readonly language?: string
  readonly title?: string
  readonly isDefault: boolean
  readonly isForced: boolean
}

export interface VideoFacts {
  /** The stream's index in the file; cover art does not count as video. */
  readonly index: number
  readonly codec: string
  readonly profile?: string
  readonly level?: number
  readonly pixelFormat: string
  /** As displayed: upright, with square pixels. */
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
  /** For H.264: profile, constraints and level as declared in the file, six hexadecimal digits. */
  readonly avc?: string
  /** Seconds from the start, in order; undefined if they cannot be found cheaply. */
  readonly keyFrames?: readonly number[]
}

export interface AudioFacts {
  readonly index: number
  readonly codec: string
  readonly profile?: string
  readonly channels: number
  /** ffmpeg's name for the channel layout: stereo, 5.1, 5.1(side). */
  readonly layout?: string
  /** BCP 47, if the file declares it. */
  readonly language?: string
  readonly sampleRate: number
  /** As the file calls it. */
  readonly title?: string
  /** What it is besides the sound of the film: a description of the picture, or a commentary. */
  readonly kind?: 'description' | 'commentary'
  /** How many audio streams the file has. */
  readonly tracks: number
  readonly bitrate?: number
  /** If times are rounded to milliseconds: samples per frame, and the start of the first frame in samples. */
  readonly rounded?: { readonly frame: number; readonly begin: number }
  /**
   * For gapless AAC in MP4: the number of frames of 1024 samples, and the start of the first (encoders start
   * below 0).
   */
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

/** The source can never be published, so retrying is pointless. The message is for its publisher. */
export class SourceRefused extends Error {
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The limits for a source. */
export const sourceLimits = {
  seconds: 24 * 60 * 60,
  side: 8192,
  tracks: 64,
  channels: 64,
  /** The most audio tracks of a film. */
  sounds: 8,
  keyFrames: 500_000,
  /** A larger MP4 index is not read for key frames. */
  indexBytes: 128 * 1024 * 1024,
  /** Containers without an index are read entirely for key frames up to this size. */
  scannedBytes: 256 * 1024 * 1024,
  probeSeconds: 30,
} as const
