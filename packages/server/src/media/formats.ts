import { type Format, type FormatBox, type HlsFormat, hlsFormats, publishedFormats } from '@zoetrope/contract'

export { type Format, type HlsFormat, hlsFormats }

/** Whole files, in the order in which they are made. */
export const fileFormats = ['mp4_360p', 'webm_360p'] as const satisfies readonly Format[]
export type FileFormat = (typeof fileFormats)[number]

export const formatNames: readonly Format[] = [...hlsFormats, ...fileFormats]

export const formatBoxes: Readonly<Record<Format, FormatBox>> = publishedFormats
