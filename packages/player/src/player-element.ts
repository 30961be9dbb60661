import { type AdBreak, announceBreaks, isDue, readSchedule } from './ads.js'
import { fitChapters, readChapters } from './chapters.js'
import './controls.js'
import { attributeNames } from './options.js'
import { type Playback, startPlayback } from './playback.js'
import { reportPlays } from './plays.js'
import { browserStore, recall, remember } from './position.js'
import { isProblemCode, noticeOf, type Problem } from './problems.js'
import { createTools, type Tools } from './tools.js'
import { createView, type View } from './view.js'

/** Events of the video element that the player forwards. */
const passedOn = [
  'play',
  'pause',
  'playing',
  'waiting',
  'seeked',
  'timeupdate',
  'ended',
  'ratechange',
  'volumechange',
]

/** Attributes that load another video when they change. */
const sources: ReadonlySet<string> = new Set([
  'src',
  'file',
  'status-url',
  'ads',
  'video-id',
  'problem',
  'message',
  'reason',
])

const secondsBetweenNotes = 2

/** `<zoetrope-player>`: a video with its controls, or a message if nothing can be played. */
export class ZoetropePlayer extends HTMLElement {
  static readonly observedAttributes = attributeNames

  #view: View | undefined
  #tools: Tools | undefined
  #playback: Playback | undefined
  #listening = new AbortController()
  #reporting = new AbortController()
  #isRestarting = false
  #notedAt = 0

  /** The video element, for everything that this class does not offer. */
  get video(): HTMLVideoElement | undefined {
    return this.#view?.video
  }
  get currentTime(): number {
    return this.video?.currentTime ?? 0
  }
  set currentTime(seconds: number) {
    if (this.video) this.video.currentTime = seconds
  }
  get duration(): number {
    return this.video?.duration ?? Number.NaN
  }
  get paused(): boolean {
    return this.video?.paused ?? true
  }
  async play(): Promise<void> {
    await this.video?.play()
  }
  pause(): void {
    this.video?.pause()
  }
  override focus(options?: FocusOptions): void {
    this.#view?.controller.focus(options)
  }

  connectedCallback(): void {
    const hadFocus = this.contains(document.activeElement)
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    this.#view ??= createView(root)
    this.#tools ??= createTools(this, root, this.#view.controller, this.#view.video)
    // What a page shows until the player is there, such as its own play button, is not needed any more.
    this.replaceChildren()
    if (hadFocus) this.focus({ preventScroll: true })
    this.#listening = new AbortController()
    if (this.hasAttribute('page-keys')) this.#tools.takePageKeys(this.#listening.signal)
    this.#listen(this.#view)
    for (const name of attributeNames) this.#apply(name)
    this.#restart()
  }

  disconnectedCallback(): void {
    this.#note()
    this.#listening.abort()
    this.#stop()
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.isConnected || before === now) return
    this.#apply(name)
    if (sources.has(name)) this.#restart()
  }

  /** Attributes are often set in a row. They cause one restart. */
  #restart(): void {
    if (this.#isRestarting) return
    this.#isRestarting = true
    queueMicrotask(() => {
      this.#isRestarting = false
      this.#stop()
      if (this.isConnected && this.#view) this.#playback = this.#start(this.#view)
    })
  }

  #stop(): void {
    this.#reporting.abort()
    this.#playback?.stop()
    this.#playback = undefined
  }

  #start(view: View): Playback | undefined {
    const problem = this.getAttribute('problem')
    view.show(undefined)
    view.setStoryboard(null)
    view.setChapters([])
    if (isProblemCode(problem)) {
      const [message, reason] = ['message', 'reason'].map((name) => this.getAttribute(name) ?? undefined)
      const known = { code: problem, message, reason }
      view.show(noticeOf(known))
      this.#tellProblem(known)
      return undefined
    }
    this.#reporting = new AbortController()
    const { signal } = this.#reporting
    reportPlays(view.video, () => this.getAttribute('beacon'), signal)
    const ads = readSchedule(this.getAttribute('ads'))
    const hasAny = () => isDue(Number(this.getAttribute('ads-every')), this.#adsName(ads), browserStore())
    announceBreaks(view.video, ads, hasAny, (due) => this.#tellBreak(due), signal)
    return startPlayback({
      video: view.video,
      rungs: view.rungs,
      sounds: view.sounds,
      src: this.getAttribute('src') || undefined,
      file: this.getAttribute('file') || undefined,
      statusUrl: this.getAttribute('status-url') || undefined,
      start: this.#startsAt(),
      autoplay: this.hasAttribute('autoplay'),
      show: view.show,
      onProblem: (found) => this.#tellProblem(found),
      onReady: ({ poster, storyboard }) => {
        if (poster) view.setPoster(poster)
        if (storyboard) this.setAttribute('storyboard', storyboard)
      },
    })
  }

  /** The key for counting plays: the ad server's URL, and the video if each is counted separately. */
  #adsName([first]: readonly AdBreak[]): string {
    const video = this.getAttribute('ads-scope') === 'video' ? this.getAttribute('video-id') : undefined
    return [first?.tag, video].join(' ')
  }

  #startsAt(): number {
    const start = this.getAttribute('start')
    if (start !== null) return Math.max(0, Number(start) || 0)
    const [store, id] = [browserStore(), this.getAttribute('video-id')]
    return (store && id && recall(store, id)) || 0
  }

  #apply(name: string): void {
    const [view, value] = [this.#view, this.getAttribute(name)]
    if (!view) return
    const { video, controller } = view
    const appliers: Record<string, () => void> = {
      poster: () => view.setPoster(value),
      title: () => view.setTitle(value ?? ''),
      storyboard: () => video.readyState > 0 && view.setStoryboard(value),
      chapters: () => video.readyState > 0 && this.#showChapters(view),
      loop: () => {
        video.loop = value !== null
      },
      muted: () => {
        controller.toggleAttribute('nomutedpref', value !== null)
        video.muted = value !== null
      },
      logo: () => view.setLogo(value),
      audio: () => view.setAudio(value !== null),
      subtitles: () => this.#tools?.update(),
      transcript: () => this.#tools?.update(),
      'share-url': () => {
        view.access.href = value ?? ''
        this.#tools?.update()
      },
      accent: () => this.#setStyle('--zoetrope-accent', value),
      'aspect-ratio': () => this.#setStyle('--zoetrope-aspect-ratio', value),
    }
    appliers[name]?.()
  }

  #setStyle(property: string, value: string | null): void {
    if (value) this.style.setProperty(property, value)
  }

  #listen(view: View): void {
    const { signal } = this.#listening
    const { video } = view
    for (const name of passedOn)
      video.addEventListener(name, () => this.dispatchEvent(new Event(name)), { signal })
    video.addEventListener('loadedmetadata', () => this.#becomeReady(view), { signal })
    // hls.js learns the exact length from the last segment.
    video.addEventListener('durationchange', () => this.#showChapters(view), { signal })
    video.addEventListener('timeupdate', () => this.#noteNowAndThen(), { signal })
    for (const name of ['pause', 'ended', 'seeked'])
      video.addEventListener(name, () => this.#note(), { signal })
    window.addEventListener('pagehide', () => this.#note(), { signal })
    view.controller.addEventListener('mediaairplayrequest', () => this.#playback?.playNatively(), {
      signal,
      capture: true,
    })
    view.again.addEventListener(
      'click',
      () => {
        // The page set this problem, and a reload may resolve it.
        if (this.hasAttribute('problem')) window.location.reload()
        else this.#playback?.retry()
        this.focus()
      },
      { signal },
    )
  }

  #showChapters({ video, setChapters }: View): void {
    setChapters(fitChapters(readChapters(this.getAttribute('chapters')), video.duration))
  }

  #becomeReady(view: View): void {
    const { video, controller, setStoryboard } = view
    const hasPicture = video.videoWidth > 0
    // In seconds. Without a picture, the controls are all there is to see, so they stay.
    controller.setAttribute('autohide', hasPicture ? '2' : '-1')
    if (!hasPicture) controller.removeAttribute('userinactive')
    view.setAudio(!hasPicture)
    if (hasPicture) this.style.setProperty('--known-ratio', `${video.videoWidth} / ${video.videoHeight}`)
    // Must run after loading: hls.js clears all text tracks when it opens a playlist.
    setStoryboard(this.getAttribute('storyboard'))
    this.#showChapters(view)
    this.dispatchEvent(new CustomEvent('ready', { detail: { duration: video.duration } }))
  }

  #tellProblem({ code, message, status, reason }: Problem): void {
    this.dispatchEvent(new CustomEvent('error', { detail: { code, message, status, reason } }))
  }

  /** Fires the event for an ad break. A page that shows ads pauses the film with `preventDefault()`. */
  #tellBreak({ offset, ...more }: AdBreak): 'wait' | 'go on' {
    const detail = { ...more, offset: offset / 1000 }
    return this.dispatchEvent(new CustomEvent('adbreak', { detail, cancelable: true })) ? 'go on' : 'wait'
  }

  #noteNowAndThen(): void {
    if (Math.abs(this.currentTime - this.#notedAt) >= secondsBetweenNotes) this.#note()
  }

  #note(): void {
    const [store, id, video] = [browserStore(), this.getAttribute('video-id'), this.video]
    if (!store || !id || !video || video.readyState === 0 || !Number.isFinite(video.duration)) return
    this.#notedAt = video.currentTime
    remember(store, id, video.currentTime, video.duration)
  }
}

/** Registers the custom element once. */
export function definePlayer(): void {
  if (!customElements.get('zoetrope-player')) customElements.define('zoetrope-player', ZoetropePlayer)
}
