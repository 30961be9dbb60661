import { openAsBlob } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** A running server and a key of its channel. */
export interface Place {
  readonly url: string
  readonly key: string
}

/** Uploads a film as a new video, waits until it is playable, and returns its id. */
export async function publish({ url, key }: Place, path: string, title: string): Promise<string> {
  const form = new FormData()
  form.set('video[title]', title)
  form.set('source', await openAsBlob(path), 'film.mp4')
  const reply = await fetch(`${url}/uploads?api_key=${key}`, { method: 'POST', body: form })
  if (reply.status !== 201) throw new Error(`${reply.status} ${await reply.text()}`)
  const { response } = (await reply.json()) as { response: { _id: string } }
  for (;;) {
    const video = await fetch(`${url}/videos/${response._id}?api_key=${key}`)
    const { status, status_reason } = ((await video.json()) as { response: Record<string, string> }).response
    if (status === 'ready') return response._id
    if (status === 'failed') throw new Error(status_reason)
    await delay(20)
  }
}

/** The address of a segment, and its position in the film. */
export interface SegmentAddress {
  readonly url: string
  readonly track: string
  readonly number: number
}

/** Returns the addresses of all segments of all tracks. */
export async function segmentsOf({ url, key }: Place, id: string): Promise<SegmentAddress[]> {
  const master = await (await fetch(`${url}/manifest/${id}.m3u8?api_key=${key}`)).text()
  const playlists = new Set(master.match(/https?:[^"\n]+index\.m3u8/g) ?? [])
  const found = await Promise.all(
    [...playlists].map(async (playlist) => {
      const track = /\/(\w+)\/index\.m3u8$/.exec(playlist)?.[1] ?? ''
      const lines = (await (await fetch(playlist)).text()).split('\n')
      return lines
        .filter((line) => line.endsWith('.m4s'))
        .map((line) => ({
          url: new URL(line, playlist).href,
          track,
          number: Number(/(\d+)\.m4s$/.exec(line)?.[1]),
        }))
    }),
  )
  return found.flat()
}

export interface Served {
  readonly segment: SegmentAddress
  readonly status: number
  readonly ms: number
  readonly bytes: Buffer
}

/** Requests all segments at the same moment, one viewer for each. */
export const askAll = (segments: readonly SegmentAddress[]): Promise<Served[]> =>
  Promise.all(
    segments.map(async (segment) => {
      const begun = performance.now()
      const reply = await fetch(segment.url)
      const bytes = Buffer.from(await reply.arrayBuffer())
      return { segment, status: reply.status, ms: performance.now() - begun, bytes }
    }),
  )

/**
 * Returns the types of the top-level boxes of a file, or an empty list if the file does not end where its last box
 * does.
 */
export function boxesOf(bytes: Buffer): string[] {
  const boxes: string[] = []
  let at = 0
  while (at + 8 <= bytes.length) {
    const size = bytes.readUInt32BE(at)
    if (size < 8) return []
    boxes.push(bytes.toString('latin1', at + 4, at + 8))
    at += size
  }
  return at === bytes.length ? boxes : []
}

/** Returns whether this is a whole segment: every fragment has its samples. */
export function isWholeSegment(bytes: Buffer): boolean {
  const boxes = boxesOf(bytes)
  const count = (type: string) => boxes.filter((box) => box === type).length
  return count('moof') > 0 && count('moof') === count('mdat') && boxes.at(-1) === 'mdat'
}
