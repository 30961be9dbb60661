import type { AudioTrackList } from './audio-tracks.js'
import { backOff, pause } from './back-off.js'
import type { Engine } from './engine.js'
import { hasMediaSource, startHls } from './hls-engine.js'
import { isFile, playsHls, startNative } from './native-engine.js'
import { type Notice, noticeOf, type Problem, preparingNotice } from './problems.js'
import type { RungList } from './renditions.js'
import { type Ready, type Status, watchStatus } from './status.js'

export interface PlaybackInput {
  readonly video: HTMLVideoElement
  readonly rungs: RungList
  readonly sounds: AudioTrackList
  readonly src?: string
  /** The file to play if HLS is not supported. */
  readonly file?: string
  readonly statusUrl?: string
  readonly start: number
  readonly autoplay: boolean
  /** Shows a notice over the picture, or removes it. */
  readonly show: (notice: Notice | undefined) => void
  readonly onProblem: (problem: Problem) => void
  readonly onReady: (status: Ready) => void
}

export interface Playback {
  retry(): void
  /** Plays without hls.js, if the browser can. AirPlay hands an address to the device, and hls.js has none. */
  playNatively(): void
  stop(): void
}

/** How many times a URL that should be ready may be refused before that counts as an error. */
const mostRefusals = 3

/** Starts playback, muted if the browser does not allow sound yet. */
async function autoplay(video: HTMLVideoElement): Promise<void> {
  try {
    await video.play()
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return
    video.muted = true
    await video.play().catch(() => undefined)
  }
}

/** Plays a source and handles everything that can go wrong: not ready yet, refused, no network. */
export function startPlayback(input: PlaybackInput): Playback {
  const { video, rungs, sounds, statusUrl, show, onProblem } = input
  const stopping = new AbortController()
  let waiting = new AbortController()
  let engine: Engine | undefined
  let { src, file } = input
  let playsFile = false
  let isNative = false
  let failures = 0
  let trouble: Problem | undefined
  let wantsToPlay = input.autoplay

  function load(): void {
    const start = video.currentTime || input.start
    engine?.stop()
    engine = startEngine(start)
    if (!engine) give({ code: 'not_supported' })
    else if (wantsToPlay) void autoplay(video)
  }

  function startEngine(start: number): Engine | undefined {
    const common = { video, rungs, sounds, start, onProblem: judge }
    const play = src && !playsFile ? engineFor(src) : undefined
    if (src && play) return play({ ...common, src })
    playsFile = true
    return file ? startNative({ ...common, src: file }) : undefined
  }

  function engineFor(address: string): typeof startNative | undefined {
    if (isFile(address) || isNative) return startNative
    return hasMediaSource() ? startHls : playsHls(video) ? startNative : undefined
  }

  /** Tries the file, which may work if this format does not. */
  function tryFile(problem: Problem): void {
    if (playsFile || !file) give(problem)
    else {
      playsFile = true
      wantsToPlay ||= !video.paused
      load()
    }
  }

  /** Gives up: the player cannot recover without the viewer. */
  function give(problem: Problem): void {
    show(noticeOf(problem))
    onProblem(problem)
  }

  function judge(problem: Problem): void {
    failures += 1
    const isRefusal = problem.code === 'not_allowed' || problem.code === 'removed'
    if (problem.code === 'network') outwait(problem)
    // A refusal may mean that the URL has expired, or that the video is not ready: its status says which.
    else if (isRefusal && statusUrl && failures <= mostRefusals) {
      wantsToPlay ||= !video.paused
      watch(statusUrl)
    } else if (problem.code === 'media' || problem.code === 'not_supported') tryFile(problem)
    else give(problem)
  }

  /** Shows the error only when the buffer has run out. */
  function showTrouble(): void {
    if (trouble && video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) show(noticeOf(trouble))
  }

  function outwait(problem: Problem): void {
    if (!trouble) onProblem(problem)
    trouble = problem
    showTrouble()
    void pause(backOff(failures), renewWait()).then(() => engine?.resume())
  }

  function renewWait(): AbortSignal {
    waiting.abort()
    waiting = new AbortController()
    return waiting.signal
  }

  function recovered(): void {
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return
    failures = 0
    trouble = undefined
    show(undefined)
  }

  function onStatus(status: Status): void {
    if (status.state === 'preparing') show(preparingNotice(status.progress, status.message))
    else if (status.state === 'ready') becomeReady(status)
    else if (status.problem.code === 'network') show(noticeOf(status.problem))
    else give(status.problem)
  }

  function becomeReady(status: Ready): void {
    src = status.src ?? src
    file = status.file ?? file
    show(undefined)
    input.onReady(status)
    if (failures === 0) load()
    else void pause(backOff(failures), renewWait()).then(load)
  }

  function watch(url: string): void {
    void watchStatus(url, renewWait(), onStatus)
  }

  function begin(): void {
    if (src || file) load()
    else if (statusUrl) watch(statusUrl)
  }

  for (const event of ['loadeddata', 'canplay', 'playing'])
    video.addEventListener(event, recovered, { signal: stopping.signal })
  video.addEventListener('waiting', showTrouble, { signal: stopping.signal })
  begin()

  return {
    retry() {
      show(undefined)
      renewWait()
      trouble = undefined
      failures = 0
      if (engine && video.readyState > 0) engine.resume()
      else begin()
    },
    playNatively() {
      if (isNative || !playsHls(video)) return
      isNative = true
      wantsToPlay ||= !video.paused
      load()
    },
    stop() {
      stopping.abort()
      waiting.abort()
      engine?.stop()
    },
  }
}
