import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { patienceMs } from '../support/patience.js'

const secret = 'the content of a file that no upload may reach 7f3a9c'
let api: TestApi
let worker: { stop(): Promise<unknown> }
let folder: string
let marker: string
let listener: Server
let visits = 0
before(async () => {
  api = await startOwnApi()
  worker = openWorker(api)
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-hostile-'))
  marker = join(folder, 'marker.txt')
  await writeFile(marker, `${secret}\n`.repeat(50))
  listener = createServer((socket) => {
    visits += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
})
after(async () => {
  await worker.stop()
  listener.close()
  await api.stop()
  await rm(folder, { recursive: true, force: true })
})

const inside = () => `http://127.0.0.1:${(listener.address() as AddressInfo).port}/inside`

/** Uploads bytes as a film. Returns the video once it is prepared or has failed. */
async function upload(bytes: string | Buffer, name = 'film.mp4') {
  const path = join(folder, name)
  await writeFile(path, bytes)
  const { _id } = await uploadClip(api, path, name)
  return untilPrepared(api, _id)
}

async function refuse(bytes: string | Buffer, reason: RegExp): Promise<void> {
  const { status, status_reason } = await upload(bytes)
  assert.equal(status, 'failed')
  assert.match(status_reason ?? '', reason)
  assert.match(status_reason ?? '', /^[A-Z].*\.$/, 'a sentence for a person')
  assert.ok(!status_reason?.includes(folder) && !status_reason?.includes('/tmp'), 'no path of ours')
}

const notFilm = /not a video or audio file/
const playlist = (address: string) =>
  `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${address}\n#EXT-X-ENDLIST\n`

test('playlists, scripts and pictures that name other files are refused under any name', async () => {
  for (const address of [
    `file://${marker}`,
    inside(),
    `concat:${marker}|${marker}`,
    `subfile,,start,0,end,9,,:${marker}`,
  ])
    await refuse(playlist(address), notFilm)
  await refuse(`ffconcat version 1.0\nfile '${marker}'\nduration 5\n`, notFilm)
  await refuse(`ffconcat version 1.0\nfile '${inside()}'\n`, notFilm)
  const dash = `<?xml version="1.0"?><MPD><Period><AdaptationSet><Representation><BaseURL>${inside()}</BaseURL></Representation></AdaptationSet></Period></MPD>`
  await refuse(dash, notFilm)
  await refuse(
    `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n`,
    notFilm,
  )
  await refuse(`<svg xmlns="http://www.w3.org/2000/svg"><image href="${inside()}"/></svg>`, notFilm)
  await refuse(`<!doctype html><video src="${inside()}"></video>`, notFilm)
  await refuse('Only notes.\n'.repeat(200), notFilm)
})

/** Wraps bytes in an MP4 box. */
function box(type: string, contents: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(contents.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, contents])
}

test('a playlist inside a box of a film is not read as one', async () => {
  const text = Buffer.from(playlist(`file://${marker}`))
  await refuse(Buffer.concat([box('free', Buffer.alloc(0)), box('skip', text)]), /damaged|incomplete/)
  await refuse(
    Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0isom')), box('mdat', text)]),
    /damaged|incomplete/,
  )
})

/** Subtitles in AVI may contain a file of another type, which ffmpeg detects by its content. */
async function aviWithSubtitles(text: string): Promise<Buffer> {
  const avi = Buffer.from(
    await readFile(await makeClip({ codec: 'mpeg4', container: 'avi', audio: 'pcm_s16le' })),
  )
  avi.write('txts', avi.indexOf('auds'), 'latin1')
  const packet = avi.indexOf('01wb', avi.indexOf('movi'), 'latin1')
  const inner = Buffer.from(text)
  const head = Buffer.alloc(17)
  head.write('GAB2\0', 0, 'latin1')
  head.writeUInt16LE(2, 5)
  head.writeUInt32LE(0, 7)
  head.writeUInt16LE(4, 11)
  head.writeUInt32LE(inner.length, 13)
  Buffer.concat([head, inner]).copy(avi, packet + 8)
  return avi
}

test('a playlist inside the subtitles of an AVI reaches nothing', async () => {
  for (const address of [`file://${marker}`, inside()]) {
    const { status } = await upload(await aviWithSubtitles(playlist(address)), 'film.avi')
    assert.ok(['ready', 'failed'].includes(status))
  }
})

test('a film whose index points to other files reads none of them', async () => {
  // A QuickTime data reference: the media are in another file.
  const clip = Buffer.from(
    await readFile(await makeClip({ container: 'mov', codec: 'mpeg4', audio: 'none' })),
  )
  const reference = clip.indexOf('url ', clip.indexOf('dref'), 'latin1')
  clip.write('alis', reference, 'latin1')
  clip.writeUInt32BE(0, reference + 4)
  const { status } = await upload(clip, 'film.mov')
  assert.ok(['ready', 'failed'].includes(status))
})

const ffmpeg = (args: readonly string[]) =>
  promisify(execFile)('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], { timeout: patienceMs })

test('files that are cut, empty, locked, of rare formats or of absurd measures say what is wrong', async () => {
  const front = await readFile(await makeClip({ more: ['-movflags', '+faststart'] }))
  await refuse(front.subarray(0, Math.floor(front.length * 0.6)), /ends too early/)
  const behind = await readFile(await makeClip({}))
  await refuse(behind.subarray(0, Math.floor(behind.length * 0.6)), /ends too early|incomplete/)
  const rare = await makeClip({
    codec: 'magicyuv',
    container: 'avi',
    size: '64x64',
    audio: 'none',
    seconds: 1,
  })
  await refuse(await readFile(rare), /magicyuv.*not accepted.*Convert/)

  const clip = await readFile(await makeClip({ audio: 'none' }))
  const locked = Buffer.from(clip)
  locked.write('encv', locked.lastIndexOf('avc1'), 'latin1')
  await refuse(locked, /encrypted/)

  // Newer versions of ffprobe trust the header only if the samples and the edit list agree: 60 pictures of 75 minutes.
  const endless = Buffer.from(clip)
  const write = (box: string, at: number, value: number) =>
    endless.writeUInt32BE(value, endless.lastIndexOf(box) + at)
  write('mdhd', 20, 15_360 * 3600 * 75)
  write('mvhd', 20, 1000 * 3600 * 75)
  write('stts', 16, 15_360 * 60 * 75)
  write('elst', 12, 1000 * 3600 * 75)
  await refuse(endless, /hours; at most 24/)

  const tracks = join(folder, 'tracks.mkv')
  const maps = Array.from({ length: 70 }, () => ['-map', '0:a']).flat()
  await ffmpeg(['-f', 'lavfi', '-i', 'sine=d=0.2', ...maps, '-c:a', 'pcm_s16le', tracks])
  await refuse(await readFile(tracks), /70 tracks; at most 64/)
})

test('an empty file is refused before anything is kept', async () => {
  await assert.rejects(upload(Buffer.alloc(0)), /4\d\d/)
})

test('no server was contacted, and no output contains the marker', async () => {
  assert.equal(visits, 0)
  const { storage } = api.media
  let looked = 0
  for await (const { key } of storage.list('')) {
    const chunks: Buffer[] = []
    for await (const chunk of (await storage.read(key))?.body ?? []) chunks.push(chunk as Buffer)
    assert.ok(!Buffer.concat(chunks).includes(secret), key)
    looked += 1
  }
  assert.ok(looked > 0)
})
