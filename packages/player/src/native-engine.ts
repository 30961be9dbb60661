import type { Engine, EngineInput } from './engine.js'
import { type Problem, problemOfStatus, refusalIn } from './problems.js'

export const playsHls = (video: HTMLVideoElement): boolean =>
  video.canPlayType('application/vnd.apple.mpegurl') !== ''

/** Whether the URL is a single file, which every browser plays natively. */
export const isFile = (src: string): boolean => /\.(mp4|webm)([?#]|$)/.test(src)

/** Requests a failed URL again, because a media element does not say why it failed. */
async function problemAt(src: string, error: MediaError | null): Promise<Problem> {
  if (error?.code === MediaError.MEDIA_ERR_DECODE) return { code: 'media' }
  try {
    // The first byte is enough.
    const reply = await fetch(src, { headers: { range: 'bytes=0-0' } })
    return reply.ok ? { code: 'media' } : problemOfStatus(reply.status, refusalIn(await reply.text()))
  } catch {
    return { code: 'network' }
  }
}

/** Plays what the browser supports natively: HLS on iPhones, and files. */
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
