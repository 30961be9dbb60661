import { createWatchTime } from './watch-time.js'

/** Seconds watched between reports of a play, short at first. The last interval repeats. */
const spans = [10, 20, 30, 60]
const least = 1

/**
 * Seconds before the end that count as the end. Sound and picture rarely end together, and then some browsers do not
 * fire `ended`.
 */
const margin = 0.25

/** 128 random bits. Browsers offer no UUIDs to pages without TLS. */
const newPlayId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Tablets that identify as desktops are recognised by their screen. */
const ownDevice = (): { device?: string } =>
  /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1 ? { device: 'tablet' } : {}

/** Sends a report without waiting. A lost report does no harm: the next one covers the whole play again. */
function send(url: string, body: string): void {
  try {
    // A string is sent as text/plain, which needs no preflight for another site.
    if (navigator.sendBeacon?.(url, body)) return
    const request = { method: 'POST', body, keepalive: true, mode: 'no-cors', credentials: 'omit' } as const
    void fetch(url, request).catch(() => undefined)
  } catch {
    // If the request fails, only this report is lost.
  }
}

interface Play {
  readonly id: string
  readonly time: ReturnType<typeof createWatchTime>
  reported: number
  reports: number
}

/** Reports every play to `beacon`: its start, at intervals the time watched, and its end. */
export function reportPlays(video: HTMLVideoElement, beacon: () => string | null, signal: AbortSignal): void {
  let play: Play | undefined

  function report(current: Play, ended: boolean): void {
    const watched = Math.round(current.time.settle() * 10) / 10
    const url = beacon()
    current.reported = watched
    current.reports += 1
    if (url) send(url, JSON.stringify({ play: current.id, watched, ended, ...ownDevice() }))
  }

  function begin(): void {
    const isNew = play === undefined
    play ??= { id: newPlayId(), time: createWatchTime(() => performance.now()), reported: 0, reports: 0 }
    play.time.run()
    if (isNew) report(play, false)
  }

  /** Reports if at least `enough` seconds are unreported. */
  function tell(enough: number): void {
    if (play && play.time.settle() - play.reported >= enough) report(play, false)
  }

  function tellNowAndThen(): void {
    if (!play) return
    if (isOver()) {
      end()
      return
    }
    // Not every browser fires `playing` after a seek.
    if (!video.paused && !video.seeking && video.readyState > HTMLMediaElement.HAVE_CURRENT_DATA)
      play.time.run()
    tell(spans[Math.min(play.reports, spans.length) - 1] ?? least)
  }

  const isOver = () => video.ended || video.currentTime >= video.duration - margin

  function rest(): void {
    play?.time.stop()
  }

  function end(): void {
    rest()
    if (play) report(play, true)
    play = undefined
  }

  const on = (name: string, act: () => void) => video.addEventListener(name, act, { signal })
  on('playing', begin)
  for (const name of ['waiting', 'seeking', 'emptied']) on(name, rest)
  on('timeupdate', tellNowAndThen)
  on('pause', () => {
    rest()
    if (!isOver()) tell(least)
  })
  on('ended', end)
  const leave = () => tell(least)
  window.addEventListener('pagehide', leave, { signal })
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && leave(), {
    signal,
  })
  signal.addEventListener('abort', () => {
    rest()
    leave()
  })
}
