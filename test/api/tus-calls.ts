import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { sourceKey } from '../../packages/server/src/media-segments/segment-keys.js'
import type { TestApi } from '../support/api.js'

export type Fields = Readonly<Record<string, string>>
type Bytes = Buffer<ArrayBuffer> | string

export const bytesType = 'application/offset+octet-stream'
export const inBase64 = (text: string) => Buffer.from(text).toString('base64')
export const metadataOf = (fields: Fields) =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${inBase64(value)}`)
    .join()

/** The calls of the tus protocol. `at` returns the server and the key for each call. */
export function tusCalls(at: () => { readonly url: string; readonly key: string }) {
  const send = (method: string, address: string, headers: Fields = {}, body?: Bytes) =>
    fetch(new URL(address, at().url), {
      method,
      headers: { 'tus-resumable': '1.0.0', ...headers },
      ...(body === undefined ? {} : { body }),
    })

  const announce = (length: number | string, headers: Fields = {}, body?: Bytes) =>
    send('POST', '/uploads/tus', { 'x-api-key': at().key, 'upload-length': String(length), ...headers }, body)

  async function begin(length: number, fields: Fields = { filename: 'A walk.mp4' }): Promise<string> {
    const reply = await announce(length, { 'upload-metadata': metadataOf(fields) })
    assert.equal(reply.status, 201, await reply.text())
    return reply.headers.get('location') ?? ''
  }

  const append = (address: string, at: number, body: Bytes, headers: Fields = {}) =>
    send('PATCH', address, { 'content-type': bytesType, 'upload-offset': String(at), ...headers }, body)

  async function offsetAt(address: string): Promise<number> {
    const reply = await send('HEAD', address)
    assert.equal(reply.status, 200)
    assert.equal(reply.headers.get('cache-control'), 'no-store')
    return Number(reply.headers.get('upload-offset'))
  }

  return { send, announce, begin, append, offsetAt }
}

export const callsTo = (api: () => TestApi) =>
  tusCalls(() => ({ url: api().url, key: api().channel.keys.admin }))

export const codeOf = async (reply: Response) => [
  reply.status,
  ((await reply.json()) as { code: string }).code,
]

async function keysIn(objects: AsyncIterable<{ key: string }>): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of objects) keys.push(key)
  return keys
}

/** Asserts that no video, no row and no byte is left. */
export async function assertNothing(api: TestApi): Promise<void> {
  const { db } = api.database
  assert.deepEqual([...(await db`select _id from videos`)], [])
  assert.deepEqual([...(await db`select _id from uploads`)], [])
  assert.deepEqual(await keysIn(api.media.storage.list('sources')), [])
  assert.deepEqual(await keysIn(api.media.storage.listUploads()), [])
}

export async function assertStored(api: TestApi, video_id: string, content: Buffer): Promise<void> {
  const [source, ...others] = await api.database
    .db`select _id, sha256 from sources where video_id = ${video_id}`
  assert.ok(source)
  assert.deepEqual(others, [])
  assert.equal(source.sha256, createHash('sha256').update(content).digest('hex'))
  assert.equal((await api.media.storage.stat(sourceKey(source._id)))?.size, content.length)
  assert.deepEqual(await keysIn(api.media.storage.listUploads()), [])
}

/** Deletes all uploads and videos, so that tests do not affect each other. */
export async function clear(api: TestApi): Promise<void> {
  await api.database.db`delete from uploads`
  await api.database.db`delete from videos`
  await api.media.storage.removeUnder('sources')
  for await (const { key } of api.media.storage.listUploads())
    await (await api.media.storage.openUpload(key)).abort()
}
