import type { CaptionStyle } from './caption-style.js'

const key = 'zoetrope-preferences'

type Store = Pick<Storage, 'getItem' | 'setItem'>

/** What a viewer chose, for all videos in this browser. */
export interface Preferences {
  readonly rate?: number
  /** The language of the captions, or null if the viewer switched them off. */
  readonly captions?: string | null
  /** The language of the audio, and whether it describes the picture. */
  readonly audio?: { readonly language: string; readonly isDescribed: boolean }
  readonly captionStyle?: Partial<CaptionStyle>
}

export function readPreferences(store: Store | undefined): Preferences {
  try {
    const found: unknown = JSON.parse(store?.getItem(key) ?? '{}')
    return typeof found === 'object' && found !== null ? (found as Preferences) : {}
  } catch {
    return {}
  }
}

export function savePreferences(store: Store | undefined, changed: Preferences): void {
  try {
    store?.setItem(key, JSON.stringify({ ...readPreferences(store), ...changed }))
  } catch {
    // If the storage is full, only this choice is lost.
  }
}
