import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { listLibrary } from '../../packages/server/src/library/contents.js'
import type { TestApi } from '../support/api.js'
import { ask, type Reply } from './ask.js'

export type Part = readonly [name: string, value: string | Blob, fileName?: string]

function formOf(parts: readonly Part[]): FormData {
  const form = new FormData()
  for (const [name, value, fileName] of parts)
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, fileName)
  return form
}

export const film = (text = 'some film') => new Blob([text])

export const upload = (
  { url, channel }: TestApi,
  parts: readonly Part[],
  path = `/uploads?api_key=${channel.keys.admin}`,
): Promise<Reply> => ask(`${url}${path}`, 'json', { method: 'POST', body: formOf(parts) })

interface SourceRow {
  readonly _id: string
  readonly video_id: string
  readonly file_name: string | null
  readonly bytes: string
  readonly sha256: string
}

export const sourcesOf = ({ database: { db } }: TestApi) =>
  db<SourceRow[]>`select _id, video_id, file_name, bytes, sha256 from sources order by created_at, _id`

export async function filesOf({ media }: TestApi): Promise<string[]> {
  const keys: string[] = []
  // The id of the installation is stored beside the films.
  for await (const { key } of listLibrary(media.storage)) keys.push(key)
  return keys
}

export async function clear({ database: { db }, media }: TestApi): Promise<void> {
  await db`delete from videos`
  await media.storage.removeUnder('sources')
}

/** Asserts that no video, no row and no file was created. */
export async function assertNothing(api: TestApi): Promise<void> {
  const { response } = await api.as('admin').videos.list()
  assert.deepEqual([response, [...(await sourcesOf(api))], await filesOf(api)], [[], [], []])
}

const boundary = 'border'
export const opening = (fileName = 'a.mp4') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="source"; filename="${fileName}"\r\nContent-Type: video/mp4\r\n\r\n`
export const closing = `\r\n--${boundary}--\r\n`
export const headersOf = (key: string, length: number) =>
  [
    ['Host', 'localhost'],
    ['X-Api-Key', key],
    ['Content-Type', `multipart/form-data; boundary=${boundary}`],
    ['Content-Length', String(length)],
  ] as const

/** Streams a file of this size in chunks that are generated on the fly. */
export async function stream(
  { url, channel }: TestApi,
  bytes: number,
  { key = channel.keys.admin, path = '/uploads', onChunk = () => {} } = {},
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url)
  const sending = request({
    hostname,
    port,
    path,
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  })
  const chunk = Buffer.alloc(65_536, 'film')
  function* body() {
    yield Buffer.from(opening())
    for (let left = bytes; left > 0; left -= chunk.length) {
      onChunk()
      yield chunk.subarray(0, Math.min(left, chunk.length))
    }
    yield Buffer.from(closing)
  }
  const answering = once(sending, 'response')
  // The server may respond without reading the rest of the body.
  const sent = pipeline(Readable.from(body()), sending).catch(() => {})
  const [reply] = await answering
  let text = ''
  for await (const part of reply) text += part
  await sent
  return { status: reply.statusCode, text }
}
