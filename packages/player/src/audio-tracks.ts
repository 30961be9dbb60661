/** An audio track, as the audio menu shows it. */
export interface AudioChoice {
  readonly id: string
  /** The words of HTML: `main`, or `main-desc` for a track that describes the picture. */
  readonly kind: string
  readonly label: string
  readonly language: string
}

/** A choice in the list. Enabling it disables the others. */
interface AudioTrack extends AudioChoice {
  enabled: boolean
}

/** The list that media-chrome looks for at `video.audioTracks`. Browsers without native HLS have none of their own. */
export interface AudioTrackList extends EventTarget {
  readonly length: number
  /** Shows these tracks. The viewer has not chosen any of them. */
  replace(choices: readonly AudioChoice[], selected: number): void
  /** Called when the viewer chooses a track. */
  onChoose: ((index: number) => void) | undefined
  [Symbol.iterator](): Iterator<AudioTrack>
}

export function createAudioTracks(): AudioTrackList {
  let tracks: readonly AudioTrack[] = []
  let selected = -1

  const trackOf = (choice: AudioChoice, index: number): AudioTrack => ({
    ...choice,
    get enabled() {
      return index === selected
    },
    set enabled(isEnabled) {
      if (!isEnabled || index === selected) return
      selected = index
      list.onChoose?.(index)
      list.dispatchEvent(new Event('change'))
    },
  })
  const list: AudioTrackList = Object.assign(new EventTarget(), {
    length: 0,
    onChoose: undefined,
    replace(choices: readonly AudioChoice[], index: number) {
      tracks = choices.map(trackOf)
      selected = index
      Object.assign(list, { length: tracks.length })
      for (const name of ['addtrack', 'change']) list.dispatchEvent(new Event(name))
    },
    [Symbol.iterator]: () => tracks[Symbol.iterator](),
  })
  return list
}
