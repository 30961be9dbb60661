import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createDecipheriv } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'

let api: TestApi
let id: string
before(async () => {
  api = await startOwnApi()
  const worker = openWorker(api)
  const { _id } = await uploadClip(api, await makeClip({ seconds: 4 }), 'Harbour')
  id = _id
  await untilPrepared(api, id)
  await worker.stop()
})
after(() => api.stop())

const encrypt = (hls_encryption: boolean) => api.as('admin').account.update({ hls_encryption })
const text = async (url: string) => (await fetch(url)).text()
const bytes = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())
/** The playlists of renditions, each once. I-frame playlists are listed once the whole film is encoded. */
const addressesIn = (playlist: string) => [...new Set(playlist.match(/http:\/\/[^"\s]+index\.m3u8/g) ?? [])]
const playlists = async () =>
  addressesIn(await text(`${api.url}/manifest/${id}.m3u8?api_key=${api.channel.keys.player}`))

/** Returns the decrypted segments of a playlist, as a player reads them. */
async function decrypted(playlist: string): Promise<Buffer[]> {
  const key = await bytes(new URL('../key', playlist).href)
  const names = (await text(playlist)).match(/^[^#\s]+\.m4s$/gm) ?? []
  assert.ok(names.length > 0)
  return Promise.all(
    names.map(async (name, number) => {
      const vector = Buffer.alloc(16)
      vector.writeUInt32BE(number, 12)
      const decipher = createDecipheriv('aes-128-cbc', key, vector)
      return Buffer.concat([decipher.update(await bytes(new URL(name, playlist).href)), decipher.final()])
    }),
  )
}

test('turning on encryption sends the same segments encrypted, without encoding again', async () => {
  const clear = await playlists()
  await encrypt(true)
  const sealed = await playlists()
  assert.equal(sealed.length, clear.length)
  for (const [index, playlist] of sealed.entries()) {
    const lines = (await text(playlist)).split('\n')
    const map = lines.findIndex((line) => line.startsWith('#EXT-X-MAP:'))
    assert.equal(lines[map + 1], '#EXT-X-KEY:METHOD=AES-128,URI="../key"')
    const before = clear[index] ?? ''
    assert.ok(
      (await bytes(new URL('init.mp4', playlist).href)).equals(await bytes(new URL('init.mp4', before).href)),
    )
    for (const [number, segment] of (await decrypted(playlist)).entries()) {
      const plain = await bytes(new URL(`${number}.m4s`, before).href)
      assert.ok(segment.equals(plain), `${playlist} ${number}`)
      assert.equal((await bytes(new URL(`${number}.m4s`, playlist).href)).equals(plain), false)
    }
  }
})

test('the key is sent only to viewers who may watch, and is not cacheable', async () => {
  await encrypt(true)
  const [playlist = ''] = await playlists()
  const address = new URL('../key', playlist).href
  const reply = await fetch(address)
  assert.equal(reply.status, 200)
  assert.equal(reply.headers.get('cache-control'), 'private, no-store')
  assert.equal((await reply.arrayBuffer()).byteLength, 16)
  assert.equal((await fetch(address.replace(/\/media\/./, '/media/x'))).status, 403)
  await api.as('admin').videos.update(id, { active: false })
  try {
    let status = 200
    for (let tries = 0; tries < 300 && status === 200; tries += 1) {
      status = (await fetch(address)).status
      await delay(100)
    }
    assert.equal(status, 404)
  } finally {
    await api.as('admin').videos.update(id, { active: true })
  }
})

test('every film has its own key', async () => {
  await encrypt(true)
  const worker = openWorker(api)
  const { _id } = await uploadClip(api, await makeClip({ seconds: 2 }), 'Another')
  await untilPrepared(api, _id)
  await worker.stop()
  const [mine = ''] = await playlists()
  const [other = ''] = addressesIn(
    await text(`${api.url}/manifest/${_id}?api_key=${api.channel.keys.player}`),
  )
  const [a, b] = await Promise.all([mine, other].map((playlist) => bytes(new URL('../key', playlist).href)))
  assert.equal(a?.equals(b ?? Buffer.alloc(0)), false)
})

test('encrypted segments have tags, lengths and ranges like any other', async () => {
  await encrypt(true)
  const [playlist = ''] = await playlists()
  const url = new URL('0.m4s', playlist).href
  const whole = await fetch(url)
  const all = Buffer.from(await whole.arrayBuffer())
  const etag = whole.headers.get('etag') ?? ''
  assert.equal(whole.headers.get('content-length'), String(all.length))
  assert.equal(all.length % 16, 0)
  assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304)
  const head = await fetch(url, { method: 'HEAD' })
  assert.equal(head.headers.get('content-length'), String(all.length))
  const part = await fetch(url, { headers: { range: 'bytes=100-199', 'if-range': etag } })
  assert.equal(part.status, 206)
  assert.ok(Buffer.from(await part.arrayBuffer()).equals(all.subarray(100, 200)))
})

test('URLs issued before a change of encryption keep working unchanged', async () => {
  await encrypt(true)
  const [sealed = ''] = await playlists()
  await encrypt(false)
  const [clear = ''] = await playlists()
  assert.match(await text(sealed), /#EXT-X-KEY/)
  assert.equal((await decrypted(sealed)).length > 0, true)
  assert.doesNotMatch(await text(clear), /#EXT-X-KEY/)
  assert.equal((await fetch(new URL('../key', clear))).status, 404)
  const master = sealed.replace(/[^/]+\/index\.m3u8$/, 'master.m3u8')
  const [again = ''] = addressesIn(await text(master))
  assert.equal(again.split('/media/')[1]?.split('/')[0], sealed.split('/media/')[1]?.split('/')[0])
})

test('ffmpeg plays every frame of an encrypted film', async () => {
  await encrypt(true)
  for (const playlist of await playlists()) {
    const { stdout } = await promisify(execFile)('ffprobe', [
      ...['-v', 'error', '-allowed_extensions', 'ALL', '-protocol_whitelist', 'http,tcp,crypto'],
      ...['-count_frames', '-show_entries', 'stream=nb_read_frames', '-of', 'json', playlist],
    ])
    const frames = Number(JSON.parse(stdout).streams[0].nb_read_frames)
    if (playlist.includes('/audio/')) assert.ok(Math.abs(frames - (4 * 48_000) / 1024) <= 2, String(frames))
    else assert.equal(frames, 120)
  }
})
