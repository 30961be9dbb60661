import type { Engine, EngineInput } from './engine.js'
import { messageIn, type Problem, problemOfStatus } from './problems.js'

export const playsHls = (video: HTMLVideoElement): boolean =>
  video.canPlayType('application/vnd.apple.mpegurl') !== ''

/** One file with everything in it, which every browser plays by itself. */
export const isFile = (src: string): boolean => /\.(mp4|webm)([?#]|$)/.test(src)

/** A media element does not tell why an address failed; asking for it again does. */
async function problemAt(src: string, error: MediaError | null): Promise<Problem> {
  if (error?.code === MediaError.MEDIA_ERR_DECODE) return { code: 'media' }
  try {
    const reply = await fetch(src)
    return reply.ok ? { code: 'media' } : problemOfStatus(reply.status, messageIn(await reply.text()))
  } catch {
    return { code: 'network' }
  }
}

/** Plays with the browser's own HLS, as iPhones do, or a file. */
export function startNative({ video, src, start, onProblem }: EngineInput): Engine {
  const listening = new AbortController()
  const { signal } = listening

  function load(at: number): void {
    const wasPlaying = !video.paused
    video.src = src
    video.addEventListener(
      'loadedmetadata',
      () => {
        if (at > 0) video.currentTime = at
      },
      { once: true, signal },
    )
    video.load()
    if (wasPlaying) video.play().catch(() => undefined)
  }

  video.addEventListener(
    'error',
    () => {
      void problemAt(src, video.error).then((problem) => signal.aborted || onProblem(problem))
    },
    { signal },
  )
  load(start)

  return {
    resume: () => load(video.currentTime || start),
    stop() {
      listening.abort()
      video.removeAttribute('src')
      video.load()
    },
  }
}
