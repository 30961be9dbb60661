import type { ClipWish } from '../../../test/support/clip.js'

/** A film to play. */
export interface Film {
  readonly name: string
  readonly wish: ClipWish
  readonly seconds: number
  readonly hasPictures: boolean
}

export interface Player {
  readonly name: string
  readonly version: string
  /** Plays an address. Returns what went wrong, or an empty string. */
  play(address: string, film: Film): Promise<string>
}

const seconds = 6
const film = (name: string, wish: ClipWish): Film => ({
  name,
  wish: { seconds, rate: '24', keyEvery: 24, ...wish },
  seconds,
  hasPictures: wish.codec !== 'none',
})

/** The kinds of film that test/pipeline/hls-rules.test.ts checks. */
export const films: readonly Film[] = [
  film('H.264 and AAC in MP4', { size: '640x360' }),
  film('H.264 in Matroska with 5.1', { size: '640x360', container: 'mkv', channels: 6 }),
  film('HEVC', { codec: 'libx265' }),
  film('a portrait that is copied', { size: '180x320' }),
  film('a silent film', { audio: 'none' }),
  film('sound alone', { codec: 'none', container: 'm4a' }),
]
