import Hls, { type ErrorData, type Level, type MediaPlaylist } from 'hls.js'
import type { AudioChoice } from './audio-tracks.js'
import type { Engine, EngineInput } from './engine.js'
import { browserStore } from './position.js'
import { readPreferences } from './preferences.js'
import { type Problem, problemOfStatus, refusalIn } from './problems.js'

/** Seconds of video to buffer before playback starts, and afterwards. */
const buffer = { waiting: 4, playing: 60 }

/** Timeouts are long, because the server may still have to encode a requested segment. */
const patience = { firstByte: 30_000, whole: 120_000 }

const maxRecoveries = 2

export const hasMediaSource = (): boolean => Hls.isSupported()

const retries = { maxNumRetry: 4, retryDelayMs: 500, maxRetryDelayMs: 4000 }

const describes = 'public.accessibility.describes-video'

/** The track that the viewer chose last, for hls.js to begin with. Without it, the film's default is played. */
function audioPreference() {
  const { audio } = readPreferences(browserStore())
  return audio && { lang: audio.language, ...(audio.isDescribed ? { characteristics: describes } : {}) }
}

const toChoice = ({ name, lang = '', characteristics }: MediaPlaylist, index: number): AudioChoice => ({
  id: String(index),
  kind: characteristics?.includes(describes) ? 'main-desc' : 'main',
  label: name,
  language: lang,
})

function createHls(start: number): Hls {
  return new Hls({
    audioPreference: audioPreference(),
    startPosition: start > 0 ? start : -1,
    capLevelToPlayerSize: true,
    backBufferLength: 60,
    maxBufferLength: buffer.waiting,
    maxMaxBufferLength: buffer.waiting,
    // Segments are fragmented MP4 and need no conversion, so no worker is needed. Pages may forbid workers.
    enableWorker: false,
    renderTextTracksNatively: true,
    fragLoadPolicy: {
      default: {
        maxTimeToFirstByteMs: patience.firstByte,
        maxLoadTimeMs: patience.whole,
        timeoutRetry: retries,
        errorRetry: retries,
      },
    },
  })
}

function bodyOf(details: unknown): string | undefined {
  return details instanceof XMLHttpRequest && ['', 'text'].includes(details.responseType)
    ? details.responseText
    : undefined
}

function problemOf({ type, details, response, networkDetails }: ErrorData): Problem {
  if (details === 'manifestParsingError' || details === 'levelEmptyError') return { code: 'media' }
  if (details === 'manifestIncompatibleCodecsError') return { code: 'not_supported' }
  if (type !== 'networkError') return { code: 'media' }
  return problemOfStatus(response?.code ?? 0, refusalIn(bodyOf(networkDetails)))
}

const toRung = ({ width, height, bitrate }: Level, index: number) => ({
  id: String(index),
  width,
  height,
  bitrate,
})

/**
 * Removes the surround variants. hls.js would switch between them and stereo, and browsers mix down to stereo anyway.
 */
function leaveStereo(hls: Hls): void {
  const isStereo = ({ audioGroups }: Level) => !audioGroups?.includes('surround')
  if (!hls.levels.some(isStereo)) return
  for (let index = hls.levels.length - 1; index >= 0; index -= 1) {
    const level = hls.levels[index]
    if (level && !isStereo(level)) hls.removeLevel(index)
  }
}

/** Plays through Media Source Extensions. */
export function startHls({ video, rungs, sounds, src, start, onProblem }: EngineInput): Engine {
  const hls = createHls(start)
  const listening = new AbortController()
  let isParsed = false
  let recoveries = 0

  function widenBuffer(): void {
    hls.config.maxBufferLength = buffer.playing / 2
    hls.config.maxMaxBufferLength = buffer.playing
  }

  hls.on(Hls.Events.MANIFEST_PARSED, () => {
    isParsed = true
    leaveStereo(hls)
    const { levels } = hls
    // The rung of an audio-only playlist has no size, so it is not a quality option.
    rungs.replace(levels.every(({ height }) => height > 0) ? levels.map(toRung) : [])
  })
  const showSounds = () => sounds.replace(hls.audioTracks.map(toChoice), hls.audioTrack)
  hls.on(Hls.Events.AUDIO_TRACKS_UPDATED, showSounds)
  hls.on(Hls.Events.AUDIO_TRACK_SWITCHING, showSounds)
  sounds.onChoose = (index) => {
    hls.audioTrack = index
  }
  hls.on(Hls.Events.FRAG_BUFFERED, () => {
    recoveries = 0
  })
  hls.on(Hls.Events.ERROR, (_event, data) => {
    if (!data.fatal) return
    const problem = problemOf(data)
    recoveries += 1
    if (data.type === 'mediaError' && problem.code === 'media' && recoveries <= maxRecoveries)
      hls.recoverMediaError()
    else onProblem(problem)
  })
  rungs.addEventListener(
    'change',
    () => {
      // Switches with the next segments. What is on the screen keeps playing.
      hls.nextLevel = rungs.selectedIndex
    },
    { signal: listening.signal },
  )
  if (video.paused) video.addEventListener('play', widenBuffer, { once: true, signal: listening.signal })
  else widenBuffer()
  hls.attachMedia(video)
  hls.loadSource(src)

  return {
    resume: () => (isParsed ? hls.startLoad() : hls.loadSource(src)),
    stop() {
      listening.abort()
      rungs.replace([])
      sounds.onChoose = undefined
      sounds.replace([], -1)
      hls.destroy()
    },
  }
}
