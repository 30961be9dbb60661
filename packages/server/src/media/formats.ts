/** The formats of the specification's table, by the names that channels switch on and off. */
export const hlsFormats = ['hls_240p', 'hls_360p', 'hls_480p', 'hls_720p', 'hls_1080p'] as const
export type HlsFormat = (typeof hlsFormats)[number]
/** Whole files, in the order in which they are made. */
export const fileFormats = ['mp4_360p', 'webm_360p'] as const
export type FileFormat = (typeof fileFormats)[number]
export type Format = HlsFormat | FileFormat

export const formatNames: readonly Format[] = [...hlsFormats, ...fileFormats]

/** The bounding box of each format for 16:9, and its maximum bit rate. */
export const formatBoxes: Readonly<Record<Format, { width: number; height: number; maxRate: number }>> = {
  hls_240p: { width: 426, height: 240, maxRate: 400_000 },
  hls_360p: { width: 640, height: 360, maxRate: 800_000 },
  hls_480p: { width: 854, height: 480, maxRate: 1_400_000 },
  hls_720p: { width: 1280, height: 720, maxRate: 2_800_000 },
  hls_1080p: { width: 1920, height: 1080, maxRate: 5_000_000 },
  webm_360p: { width: 640, height: 360, maxRate: 800_000 },
  mp4_360p: { width: 640, height: 360, maxRate: 800_000 },
}
