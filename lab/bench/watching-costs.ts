import { randomBytes } from 'node:crypto'
import { makeClip } from '../../test/support/clip.js'
import { publish, segmentsOf } from '../../test/support/cold-viewers.js'
import { cpuSecondsOf, cpuSecondsOfPostgres, type Running } from '../processes.js'

type Ask = () => Promise<Response>

const atOnce = 8

/** Returns how many requests were answered, several at a time. Anything but 2xx ends the bench. */
async function load(seconds: number, ask: Ask): Promise<number> {
  const end = performance.now() + seconds * 1000
  let answered = 0
  const repeat = async () => {
    while (performance.now() < end) {
      const reply = await ask()
      await reply.arrayBuffer()
      if (!reply.ok) throw new Error(`${reply.url} answered ${reply.status}`)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, repeat))
  return answered
}

/** Another network address for each request, because reports of one are limited. */
const forwarded = () => ({ 'x-forwarded-for': `10.${[...randomBytes(3)].join('.')}` })

async function requestsOf({ url }: Running, key: string): Promise<Readonly<Record<string, Ask>>> {
  const place = { url, key }
  const id = await publish(place, await makeClip({ size: '1280x720', seconds: 12 }), 'Film')
  const segments = await segmentsOf(place, id)
  const segment = segments.findLast(({ number, track }) => number === 1 && track !== 'audio')
  const page = await (await fetch(`${url}/embed/${id}?api_key=${key}`)).text()
  const beacon = /[^"'\s]*\/playback\/[\w.-]+\/plays/.exec(page.replaceAll('&quot;', '"'))?.[0]
  if (!segment || !beacon) throw new Error('There is no segment, or no address for reports')
  const playlist = segment.url.replace(/[^/]+$/, 'index.m3u8')
  // Made once, so that only sending it is measured.
  await (await fetch(segment.url)).arrayBuffer()
  const report = () => JSON.stringify({ play: randomBytes(16).toString('hex'), watched: 10.5, ended: false })
  return {
    'the page with the player': () => fetch(`${url}/embed/${id}?api_key=${key}`),
    'the master playlist': () => fetch(`${url}/manifest/${id}.m3u8?api_key=${key}`),
    'the playlist of a rendition': () => fetch(playlist),
    'a segment of 4 s': () => fetch(segment.url),
    'a report of a play': () =>
      fetch(new URL(beacon, url), { method: 'POST', headers: forwarded(), body: report() }),
  }
}

/** The processor time of what a viewer requests, in microseconds, as lines of a table. */
export async function measureWatching(
  server: Running,
  key: string,
  cluster: string,
  seconds: number,
): Promise<string[]> {
  const lines: string[] = []
  for (const [name, ask] of Object.entries(await requestsOf(server, key))) {
    await load(1, ask)
    const [before, beforeThere] = [cpuSecondsOf(server.pid), cpuSecondsOfPostgres(cluster)]
    const answered = await load(seconds, ask)
    // Reports are written together, a moment later.
    await new Promise((resolve) => setTimeout(resolve, 2000))
    const micros = (cpu: number) => Math.round((cpu / answered) * 1e6)
    const spent = [cpuSecondsOf(server.pid) - before, cpuSecondsOfPostgres(cluster) - beforeThere].map(micros)
    lines.push(`| ${name} | ${spent.join(' | ')} |`)
    console.log(lines.at(-1))
  }
  return lines
}
