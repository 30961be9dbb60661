import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { makeClip } from '../../../../test/support/clip.js'
import { openTestFfmpeg } from '../../../../test/support/ffmpeg.js'
import { inputLimits, inputName } from './allowed.js'
import { openLoopback } from './loopback.js'
import { blamesFile, isMediaMishap } from './media-error.js'
import type { MediaSource } from './media-source.js'
import type { OpenedFfmpeg } from './open-ffmpeg.js'
import { probeSource } from './probe.js'
import type { RangeServer, RemoteFile } from './range-server.js'
import { type FfmpegPlan, runFfmpeg, type TakeOutput } from './run-ffmpeg.js'

let ffmpeg: OpenedFfmpeg
let ranges: RangeServer
before(async () => {
  ffmpeg = (await openTestFfmpeg()).need()
  const opened = await ffmpeg.ranges()
  assert.ok(opened, 'This system cannot offer files to ffmpeg')
  ranges = opened
})

const remote = (bytes: Buffer): RemoteFile => ({
  size: bytes.length,
  async *read({ start, end }) {
    for (let at = start; at < end; at += 50_000) yield bytes.subarray(at, Math.min(end, at + 50_000))
  },
})

const copyPlan = (source: MediaSource): FfmpegPlan => ({
  program: 'ffmpeg',
  args: [
    ...inputLimits(source),
    '-i',
    inputName(source),
    '-map',
    '0',
    '-c',
    'copy',
    '-f',
    'mpegts',
    'pipe:3',
  ],
  pipes: 1,
  files: [],
})

function collected() {
  const chunks: Buffer[] = []
  const take: TakeOutput = async (bytes) => {
    for await (const chunk of bytes) chunks.push(chunk)
  }
  return { take, bytes: () => Buffer.concat(chunks) }
}

async function copyOf(how: OpenedFfmpeg, source: MediaSource): Promise<Buffer> {
  const { take, bytes } = collected()
  await runFfmpeg(how, copyPlan(source), { outputs: [take] })
  return bytes()
}

for (const container of ['mp4', 'mkv', 'ts', 'avi'] as const)
  test(`a film that is elsewhere is read as a local file is: ${container}`, async () => {
    const path = await makeClip({ container, codec: container === 'avi' ? 'mpeg4' : 'libx264' })
    const bytes = await readFile(path)
    await ranges.offer(remote(bytes), async (source, how) => {
      const reading = { ...ffmpeg, ...how }
      assert.deepEqual(await probeSource(reading, source), await probeSource(ffmpeg, path))
      assert.ok((await copyOf(reading, source)).equals(await copyOf(ffmpeg, path)))
    })
  })

test('an error of the store ends ffmpeg with that error, and nothing is taken for the end of the film', async () => {
  const bytes = await readFile(await makeClip({ seconds: 20, container: 'ts' }))
  const away = new Error('The store is away.')
  const failing: RemoteFile = {
    size: bytes.length,
    async *read({ start, end }) {
      yield* remote(bytes).read({ start, end: Math.min(end, Math.floor(bytes.length / 2)) })
      if (end > bytes.length / 2) throw away
    },
  }
  let isComplete = false
  const take: TakeOutput = async (output) => {
    for await (const _ of output);
    isComplete = true
  }
  const running = ranges.offer(failing, (source, how) =>
    runFfmpeg({ ...ffmpeg, ...how }, { ...copyPlan(source) }, { outputs: [take] }),
  )
  await assert.rejects(running, (error) => error === away)
  assert.ok(isComplete, 'the output is closed')
  const probing = ranges.offer(failing, async (source, how) => {
    await assert.rejects(probeSource({ ...ffmpeg, ...how }, source), (error) => error === away)
    // The film cannot be read any longer, so no other program is started.
    return probeSource({ ...ffmpeg, ...how }, source)
  })
  await assert.rejects(probing, (error) => error === away)
})

test('a film that is cut short on its way is neither damaged nor incomplete', async () => {
  for (const container of ['mp4', 'mkv', 'ts'] as const) {
    const bytes = await readFile(await makeClip({ seconds: 20, container }))
    const half = Math.floor(bytes.length / 2)
    const cut: RemoteFile = {
      size: bytes.length,
      read: ({ start, end }) => remote(bytes).read({ start, end: Math.min(end, half) }),
    }
    for (const use of [probeSource, copyOf]) {
      const running = ranges.offer<unknown>(cut, (source, how) => use({ ...ffmpeg, ...how }, source))
      await assert.rejects(running, (error) => isMediaMishap(error) && !blamesFile(error), container)
    }
  }
})

test('the address of a film is unknown to others, and gone when it is no longer read', async () => {
  const bytes = await readFile(await makeClip())
  const kept = await ranges.offer(remote(bytes), async (source, how) => {
    const other = { ...source, address: source.address.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }
    assert.match(source.address, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{48}$/)
    await assert.rejects(copyOf({ ...ffmpeg, ...how }, other), { code: 'failed' })
    return { source, how }
  })
  await assert.rejects(copyOf({ ...ffmpeg, ...kept.how }, kept.source), { code: 'failed' })
})

test('ffmpeg reaches the film and no other server, and has no rights over the network', async (context) => {
  if (ffmpeg.sandbox.lacks.length > 0) return context.skip('not allowed here')
  const stranger = createServer((socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n')).listen(0, '0.0.0.0')
  await once(stranger, 'listening')
  let connections = 0
  stranger.on('connection', () => {
    connections += 1
  })
  const { port } = stranger.address() as { port: number }
  await ranges.offer(remote(await readFile(await makeClip())), async (source, how) => {
    const elsewhere = { ...source, address: `http://127.0.0.1:${port}/film` }
    await assert.rejects(copyOf({ ...ffmpeg, ...how }, elsewhere), /ended with code/)
    const [command = '', ...args] = how.sandbox.wrap(['/bin/cat', '/proc/self/status', '/proc/net/dev'], {
      memoryBytes: 1e9,
      fileBytes: 1e9,
      nice: 0,
    })
    const { stdout } = await promisify(execFile)(command, args)
    const rights = BigInt(`0x${/^CapEff:\s*(\w+)/m.exec(stdout)?.[1]}`)
    const networkRights = (1n << 12n) | (1n << 13n) | (1n << 21n)
    assert.equal(rights & networkRights, 0n, 'CAP_NET_ADMIN, CAP_NET_RAW or CAP_SYS_ADMIN')
    const networks = [...stdout.matchAll(/^\s*([\w.]+):\s/gm)].map(([, name]) => name)
    assert.ok(networks.includes('lo') && !networks.some((name) => /^(eth|en)/.test(name ?? '')), stdout)
  })
  stranger.close()
  assert.equal(connections, 0)
})

test('where ffmpeg shares the network of the machine, only programs of our user are admitted', async () => {
  const opened = await openLoopback()
  assert.ok(opened)
  const admitted = async (from = {}) => {
    const arrived = once(opened.server, 'connection') as Promise<[Socket]>
    const ours = connect({ port: opened.port, host: '127.0.0.1', ...from })
    const [theirs] = await arrived
    const isAdmitted = await opened.admits(theirs)
    for (const socket of [ours, theirs]) socket.destroy()
    return isAdmitted
  }
  assert.equal(await admitted(), true)
  // Seen from its end, such a connection has the ports of ours.
  assert.equal(await admitted({ localAddress: '127.0.0.2', localPort: opened.port }), false)
  const isOther = process.getuid
  process.getuid = () => (isOther?.() ?? 0) + 1
  try {
    assert.equal(await admitted(), false)
  } finally {
    if (isOther) process.getuid = isOther
    opened.server.close()
  }
})
