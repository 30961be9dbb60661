import type { Sealer } from '../lib/sealing.js'

/** Where the pictures of a source, or of an uploaded image, lie. */
export const picturesOf = (source_id: string) => `pictures/${source_id}`

export const pictureKey = (source_id: string, file: string) => `${picturesOf(source_id)}/${file}`

/** A part of every name, so that pictures of hidden videos cannot be found by an id that is known. */
export const pictureWord = (sealer: Sealer, source_id: string, seconds?: number) =>
  // Pictures are kept for ever by whoever saw them, so another moment has another name.
  sealer.derive('picture', seconds === undefined ? source_id : `${source_id} ${seconds}`).slice(0, 16)

/** The same for the storyboard, which shows the whole film: whoever sees a poster may be one who may not watch. */
export const storyboardWord = (sealer: Sealer, source_id: string) =>
  sealer.derive('storyboard', source_id).slice(0, 16)

export const posterFile = (width: number, word: string) => `poster-${width}-${word}.jpg`
export const isPoster = (file: string) => file.startsWith('poster-')
export const sheetFile = (sheet: number, word: string) => `storyboard-${sheet}-${word}.jpg`
export const previewFile = (word: string) => `preview-${word}.webp`
export const cuesFile = (word: string) => `storyboard-${word}.vtt`

const types: readonly (readonly [RegExp, string])[] = [
  [/^(poster|storyboard)-\d{1,4}-[0-9a-f]{16}\.jpg$/, 'image/jpeg'],
  [/^preview-[0-9a-f]{16}\.webp$/, 'image/webp'],
  [/^storyboard-[0-9a-f]{16}\.vtt$/, 'text/vtt; charset=utf-8'],
]

/** The type of a file with one of the names above; all others are no pictures. */
export const pictureType = (file: string): string | undefined => types.find(([name]) => name.test(file))?.[1]
