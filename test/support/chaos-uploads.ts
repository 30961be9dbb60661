import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { isWholeSegment, type Place, segmentsOf } from './cold-viewers.js'
import { patienceMs } from './patience.js'

const patience = patienceMs
const pieces = 3

export interface Uploads {
  readonly attempted: number
  /** Titles of the uploads that the server has acknowledged. */
  readonly acknowledged: ReadonlySet<string>
  stop(): Promise<void>
}

/**
 * Uploads continuously, in one request, in pieces and by import, each film with its own title, while fewer than `most`
 * are acknowledged.
 */
export function startUploading(
  place: Place,
  clips: readonly string[],
  films: string,
  most: () => number,
): Uploads {
  let stopped = false
  const state = {
    attempted: 0,
    acknowledged: new Set<string>(),
    async stop() {
      stopped = true
      await running
    },
  }
  const uploadOn = async (upload: typeof uploadInPieces, pauseMs = 500) => {
    while (!stopped) {
      if (state.acknowledged.size >= most()) {
        await delay(pauseMs)
        continue
      }
      state.attempted += 1
      const title = `chaos-${state.attempted}`
      const bytes = await readFile(clips[state.attempted % clips.length] ?? '')
      if (await upload(place, title, bytes, () => stopped).catch(() => false)) state.acknowledged.add(title)
      await delay(pauseMs)
    }
  }
  // An import is acknowledged long before its film arrives.
  const running = Promise.all([
    uploadOn(uploadWhole),
    uploadOn(uploadInPieces),
    uploadOn((_place, title) => importFrom(place, title, films), 5000),
  ])
  return state
}

/** Uploads in one request. If the response is lost, the film may or may not be stored, as with any request. */
async function uploadWhole({ url, key }: Place, title: string, bytes: Buffer): Promise<boolean> {
  const form = new FormData()
  form.set('video[title]', title)
  form.set('source', new Blob([new Uint8Array(bytes)]), 'clip.mp4')
  const signal = AbortSignal.timeout(patience)
  const reply = await fetch(`${url}/uploads?api_key=${key}`, { method: 'POST', body: form, signal })
  await reply.arrayBuffer()
  return reply.status === 201
}

/** Creates an import. The server fetches the film as soon as it can. */
async function importFrom({ url, key }: Place, title: string, source_url: string): Promise<boolean> {
  const reply = await fetch(`${url}/video_imports?api_key=${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ video_import: { source_url, title } }),
    signal: AbortSignal.timeout(patience),
  })
  await reply.arrayBuffer()
  return reply.status === 201
}

/**
 * Uploads in pieces and resumes after every failure, until the film is complete or the server no longer knows the
 * upload.
 */
async function uploadInPieces(
  place: Place,
  title: string,
  bytes: Buffer,
  isOver: () => boolean,
): Promise<boolean> {
  // With several servers, each request goes to any of them.
  const send: Send = (method, address, headers, body) =>
    fetch(new URL(new URL(address, place.url).pathname, place.url), {
      method,
      headers: { 'tus-resumable': '1.0.0', ...headers },
      ...(body ? { body: new Uint8Array(body) } : {}),
      signal: AbortSignal.timeout(patience),
    })
  const metadata = `filename ${btoa('clip.mp4')},title ${btoa(title)}`
  const begun = await send('POST', '/uploads/tus', {
    'x-api-key': place.key,
    'upload-length': String(bytes.length),
    'upload-metadata': metadata,
  })
  const address = begun.headers.get('location')
  if (begun.status !== 201 || !address) return false
  while (!isOver()) {
    const outcome = await goOn(send, address, bytes).catch(() => undefined)
    if (outcome !== undefined) return outcome
    await delay(100)
  }
  return false
}

type Send = (method: string, address: string, headers: object, body?: Buffer) => Promise<Response>

/**
 * Sends one more piece. Returns true when the upload is complete, false when it is unknown, undefined when it goes on.
 */
async function goOn(send: Send, address: string, bytes: Buffer): Promise<boolean | undefined> {
  const head = await send('HEAD', address, {})
  if (head.status === 404 || head.status === 410) return false
  if (head.status !== 200) return undefined
  const at = Number(head.headers.get('upload-offset'))
  if (at === bytes.length) return true
  const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(at) }
  await send('PATCH', address, headers, bytes.subarray(at, at + Math.ceil(bytes.length / pieces)))
  return undefined
}

export interface Watching {
  readonly served: number
  /** Responses with status 200 that were not a whole segment. */
  readonly partial: readonly string[]
  stop(): Promise<void>
}

/** Plays random segments of the videos that are ready, and checks each one. Pauses after each. */
export function startWatching(place: Place, random: () => number, pauseMs = 50): Watching {
  let stopped = false
  const partial: string[] = []
  const state = {
    served: 0,
    partial,
    async stop() {
      stopped = true
      await running
    },
  }
  async function watchOne(): Promise<void> {
    const list = await fetch(`${place.url}/videos?api_key=${place.key}&status=ready&per_page=20`)
    const { response = [] } = (await list.json()) as { response?: { _id: string }[] }
    const video = response[Math.floor(random() * response.length)]
    if (!video) return
    const segments = await segmentsOf(place, video._id)
    const segment = segments[Math.floor(random() * segments.length)]
    if (!segment) return
    const reply = await fetch(segment.url, { signal: AbortSignal.timeout(patience) })
    const bytes = Buffer.from(await reply.arrayBuffer())
    if (reply.status !== 200) return
    state.served += 1
    if (!isWholeSegment(bytes)) partial.push(`${segment.track} ${segment.number} of ${video._id}`)
  }
  async function watch(): Promise<void> {
    while (!stopped) {
      await watchOne().catch(() => {})
      await delay(pauseMs)
    }
  }
  const running = Promise.all([watch(), watch()])
  return state
}
