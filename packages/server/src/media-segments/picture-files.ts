import type { Sealer } from '../lib/sealing.js'

/** Where the pictures of a source lie. */
export const picturesOf = (source_id: string) => `pictures/${source_id}`

export const pictureKey = (source_id: string, file: string) => `${picturesOf(source_id)}/${file}`

/** A part of every name, so that pictures of hidden videos cannot be found by an id that is known. */
export const pictureWord = (sealer: Sealer, source_id: string) =>
  sealer.derive('picture', source_id).slice(0, 16)

export const posterFile = (width: number, word: string) => `poster-${width}-${word}.jpg`
export const sheetFile = (sheet: number, word: string) => `storyboard-${sheet}-${word}.jpg`
export const cuesFile = (word: string) => `storyboard-${word}.vtt`

const types: readonly (readonly [RegExp, string])[] = [
  [/^(poster|storyboard)-\d{1,4}-[0-9a-f]{16}\.jpg$/, 'image/jpeg'],
  [/^storyboard-[0-9a-f]{16}\.vtt$/, 'text/vtt; charset=utf-8'],
]

/** The type of a file with one of the names above; all others are no pictures. */
export const pictureType = (file: string): string | undefined => types.find(([name]) => name.test(file))?.[1]
