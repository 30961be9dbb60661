import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Catalog, RecordOf } from '@zoetrope/contract'
import type { TestApi } from '../support/api.js'
import { patienceMs } from '../support/patience.js'

type Video = RecordOf<Catalog['videos']>

/** Waits until a video meets the condition, as long as its record changes now and then. */
export async function until(api: TestApi, id: string, isSo: (video: Video) => boolean): Promise<Video> {
  let [seen, since] = ['', 0]
  for (;;) {
    const video = await api.as('admin').videos.get(id)
    if (isSo(video)) return video
    const now = JSON.stringify(video)
    if (now !== seen) [seen, since] = [now, performance.now()]
    if (performance.now() - since > patienceMs) throw new Error(`It is still ${now}`)
    await delay(100)
  }
}

export const untilComplete = (api: TestApi, id: string) =>
  until(api, id, ({ complete_at }) => complete_at !== null)

/** Returns what ffprobe reports about a file: its container, and the codec and size of each stream. */
export async function probe(path: string) {
  const { stdout } = await promisify(execFile)('ffprobe', [
    ...['-v', 'error', '-show_entries', 'format=format_name,duration:stream=codec_name,width,height'],
    ...['-of', 'json', path],
  ])
  const { streams, format } = JSON.parse(stdout) as {
    streams: { codec_name: string; width?: number; height?: number }[]
    format: { format_name: string; duration: string }
  }
  return { streams, container: format.format_name, duration: Number(format.duration) }
}

/** Returns the names and addresses of the outputs in the player's JSON. */
export async function outputsOf(api: TestApi, id: string): Promise<{ name: string; url: string }[]> {
  const reply = await fetch(`${api.url}/embed/${id}?api_key=${api.channel.keys.player}`)
  const { response } = (await reply.json()) as {
    response: { body: { outputs: { name: string; url: string }[]; files: unknown } }
  }
  return response.body.outputs
}

/** Requests the master playlist. */
export const askMaster = (api: TestApi, id: string) =>
  fetch(`${api.url}/manifest/${id}.m3u8?api_key=${api.channel.keys.player}`)

/** Returns the rungs that the master playlist lists, from the smallest, with their addresses. */
export async function rungsOf(api: TestApi, id: string): Promise<Map<string, string>> {
  const master = await (await askMaster(api, id)).text()
  const found = [...master.matchAll(/^http\S+\/(hls_\w+)\/index\.m3u8$/gm)]
  const order = found.sort(
    ([, a = ''], [, b = '']) => Number.parseInt(a.slice(4), 10) - Number.parseInt(b.slice(4), 10),
  )
  return new Map(order.map(([url, name = '']) => [name, url]))
}

/** Joins the init segment and the segments of a media playlist. */
export async function joined(playlistUrl: string): Promise<Buffer> {
  const playlist = await (await fetch(playlistUrl)).text()
  const files = [...playlist.matchAll(/URI="([^"]+)"|^([^#\s]+)$/gm)].map(
    ([, init, segment]) => init ?? segment,
  )
  const parts: Buffer[] = []
  for (const file of files) {
    const reply = await fetch(new URL(file ?? '', playlistUrl))
    if (reply.status !== 200) throw new Error(`${file}: ${reply.status}`)
    parts.push(Buffer.from(await reply.arrayBuffer()))
  }
  return Buffer.concat(parts)
}
