import { browserStore } from './position.js'
import { readPreferences, savePreferences } from './preferences.js'

/** Requests of media-chrome's buttons and menus: only these are choices of the viewer. */
const captionRequests = [
  'mediatogglesubtitlesrequest',
  'mediashowsubtitlesrequest',
  'mediadisablesubtitlesrequest',
]

/** The audio tracks of Safari, or ours. TypeScript does not know the property. */
type WithAudioTracks = HTMLVideoElement & {
  readonly audioTracks?: Iterable<{ readonly kind: string; readonly language: string; enabled: boolean }>
}

const isCaptions = ({ kind }: TextTrack) => kind === 'subtitles' || kind === 'captions'

function showOnly(tracks: readonly TextTrack[], wanted: TextTrack | undefined): void {
  for (const track of tracks) {
    if (track === wanted) track.mode = 'showing'
    else if (track.mode === 'showing') track.mode = 'disabled'
  }
}

/** Remembers speed, captions and the language of the audio, and applies them to every film that is loaded. */
export function rememberChoices(video: HTMLVideoElement, controller: HTMLElement): void {
  const store = browserStore()
  if (!store) return
  const captionTracks = () => [...video.textTracks].filter(isCaptions)
  let isChosen = false

  function applyRate(): void {
    const { rate } = readPreferences(store)
    if (rate && rate >= 0.25 && rate <= 4) video.playbackRate = rate
  }

  function applyCaptions(): void {
    const { captions } = readPreferences(store)
    const tracks = captionTracks()
    const wanted = tracks.find(({ language }) => language === captions)
    const isKnown = captions === null || wanted !== undefined
    if (isKnown && !isChosen) showOnly(tracks, wanted)
  }

  function saveCaptions(): void {
    isChosen = true
    const shown = captionTracks().find(({ mode }) => mode === 'showing')
    savePreferences(store, { captions: shown ? shown.language : null })
  }

  const soundTracks = () => [...((video as WithAudioTracks).audioTracks ?? [])]
  const isDescription = (kind: string) => kind.includes('desc')

  /** hls.js begins with this track, so only Safari's own player needs it. */
  function applyAudio(): void {
    const { audio } = readPreferences(store)
    const tracks = soundTracks()
    const wanted = tracks.find(
      ({ kind, language }) => language === audio?.language && isDescription(kind) === audio.isDescribed,
    )
    if (!wanted || wanted.enabled) return
    for (const track of tracks) track.enabled = track === wanted
  }

  function saveAudio(): void {
    const chosen = soundTracks().find(({ enabled }) => enabled)
    if (!chosen?.language) return
    savePreferences(store, { audio: { language: chosen.language, isDescribed: isDescription(chosen.kind) } })
  }

  // Setting the speed back to normal when a film is loaded is not a choice.
  video.addEventListener('ratechange', () => {
    if (video.readyState > 0) savePreferences(store, { rate: video.playbackRate })
  })
  video.addEventListener('emptied', () => {
    isChosen = false
  })
  video.addEventListener('loadedmetadata', () => {
    applyRate()
    applyCaptions()
    applyAudio()
  })
  // hls.js adds its tracks after the film is loaded, and selects the default one of them.
  video.textTracks.addEventListener('addtrack', () => setTimeout(applyCaptions))
  // As soon as media-chrome has carried out the request: the page may be left the next moment.
  controller.addEventListener('mediaaudiotrackrequest', () => queueMicrotask(saveAudio))
  for (const name of captionRequests) controller.addEventListener(name, () => queueMicrotask(saveCaptions))
}
