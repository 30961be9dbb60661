import { execFile } from 'node:child_process'
import { openAsBlob } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { childrenOf, workersOf } from '../../test/support/processes.js'

export const run = (args: readonly string[]) => promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...args])
/** Moving and grainy, so that it costs about as much as a real film. */
export const film = (seconds: number) => [
  ...['-f', 'lavfi', '-i', `testsrc2=s=1920x1080:r=30:d=${seconds},noise=alls=8:allf=t`],
  ...['-f', 'lavfi', '-i', `sine=440:d=${seconds}:r=48000`],
]
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '7M', '-maxrate', '8M', '-bufsize', '16M']
export const h264Film = [...h264, '-g', '60', '-pix_fmt', 'yuv420p', '-c:a', 'aac']

export interface Keys {
  readonly admin: string
  readonly player: string
}
type Video = Record<string, unknown> & { readonly _id: string; readonly status: string }

/** The calls of a publisher who uploads films. */
export const openApi = (url: string, keys: Keys) => {
  const call = async (method: string, path: string, body?: FormData): Promise<Video> => {
    const reply = await fetch(`${url}${path}?api_key=${keys.admin}`, {
      method,
      ...(body ? { body } : {}),
    })
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`)
    const text = await reply.text()
    return text ? (JSON.parse(text) as { response: Video }).response : ({} as Video)
  }
  return {
    async upload(path: string, title: string): Promise<string> {
      const form = new FormData()
      form.set('video[title]', title)
      form.set('source', await openAsBlob(path), 'film')
      return (await call('POST', '/uploads', form))._id
    },
    async until(id: string, isReached: (video: Video) => boolean, lookMs = 10): Promise<Video> {
      for (;;) {
        const video = await call('GET', `/videos/${id}`)
        if (video.status === 'failed') throw new Error(String(video.status_reason))
        if (isReached(video)) return video
        await delay(lookMs)
      }
    },
    remove: (id: string) => call('DELETE', `/videos/${id}`),
    master: (id: string) => `${url}/manifest/${id}.m3u8?api_key=${keys.player}`,
  }
}
export type Api = ReturnType<typeof openApi>

export async function timed(url: string): Promise<{ ms: number; text: string }> {
  const begun = performance.now()
  const reply = await fetch(url)
  const text = Buffer.from(await reply.arrayBuffer()).toString('latin1')
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}`)
  return { ms: performance.now() - begun, text }
}

export async function median(url: string, count = 50): Promise<number> {
  const taken: number[] = []
  for (let index = 0; index < count; index += 1) taken.push((await timed(url)).ms)
  return taken.sort((a, b) => a - b)[Math.floor(count / 2)] ?? 0
}

const quietMs = 2000

/** Waits until no worker runs ffmpeg. Work for a deleted film ends with the window under way. */
export async function settle(pid: number): Promise<void> {
  for (let since = performance.now(); performance.now() - since < quietMs; await delay(200)) {
    const workers = await workersOf(pid)
    const running = await Promise.all(workers.map(childrenOf))
    if (running.flat().length > 0) since = performance.now()
  }
}
