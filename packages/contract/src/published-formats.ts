/**
 * The formats in which films are published, by the names that channels switch on and off. A new size of HLS is a line here
 * and a column of the table `formats`; the API's fields, the ladder and the documents follow.
 */
export const publishedFormats = {
  hls_240p: { width: 426, height: 240, maxRate: 400_000 },
  hls_360p: { width: 640, height: 360, maxRate: 800_000 },
  hls_480p: { width: 854, height: 480, maxRate: 1_400_000 },
  hls_720p: { width: 1280, height: 720, maxRate: 2_800_000 },
  hls_1080p: { width: 1920, height: 1080, maxRate: 5_000_000 },
  webm_360p: { width: 640, height: 360, maxRate: 800_000 },
  mp4_360p: { width: 640, height: 360, maxRate: 800_000 },
} as const satisfies Readonly<Record<string, FormatBox>>

/** The bounding box of a format for 16:9, and its maximum bit rate. */
export interface FormatBox {
  readonly width: number
  readonly height: number
  readonly maxRate: number
}

export type Format = keyof typeof publishedFormats
export type HlsFormat = Extract<Format, `hls_${string}`>

/** The sizes of HLS, from smallest to largest. */
export const hlsFormats = Object.keys(publishedFormats).filter((name): name is HlsFormat =>
  name.startsWith('hls_'),
)
