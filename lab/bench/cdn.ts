/**
 * Lets viewers watch a whole film, directly from the server and through nginx with the cache of docs/guide/cdn.md: a film that
 * everybody may watch, and one for subscribers, each of whom signs in. Counts hits, and the processor time of the server.
 * Writes bench/results/cdn.md.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { openAsBlob } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent as HttpAgent, type IncomingMessage, request as overHttp } from 'node:http'
import { Agent as HttpsAgent, request as overHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { createClient, signIn } from '@zoetrope/sdk'
import { putFfmpegOnPath } from '../../test/support/ffmpeg-on-path.js'
import { startNginx } from '../../test/support/nginx.js'
import { cpuSecondsOf, startZoetrope } from '../processes.js'
import { madeOn, markdown, openReport, say } from '../report.js'

const { values } = parseArgs({
  options: { viewers: { type: 'string', default: '200' }, minutes: { type: 'string', default: '2' } },
})
const [viewers, minutes] = [Number(values.viewers), Number(values.minutes)]
const connections = 64
const track = 'hls_360p'
const password = 'a password of the bench'
const { lines, add } = openReport()
await putFfmpegOnPath()

interface Credentials {
  readonly keys: { readonly admin: string; readonly player: string }
  readonly app: { readonly client_id: string; readonly client_secret: string }
}

/** Sends requests to one place over a fixed number of connections. */
function openDoor(url: string, ca?: string) {
  const options = { keepAlive: true, maxSockets: connections }
  const agent = ca ? new HttpsAgent({ ...options, ca }) : new HttpAgent(options)
  const send = ca ? overHttps : overHttp
  return {
    async get(
      path: string,
    ): Promise<{ readonly text: string; readonly bytes: number; readonly cache: string }> {
      const sending = send(url + path, { agent }).end()
      const [reply] = (await once(sending, 'response')) as [IncomingMessage]
      const isText = /mpegurl/.test(reply.headers['content-type'] ?? '')
      let [text, bytes] = ['', 0]
      for await (const chunk of reply as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (isText) text += chunk.toString()
      }
      if (reply.statusCode !== 200) throw new Error(`${path} answered ${reply.statusCode}`)
      return { text, bytes, cache: String(reply.headers['x-cache'] ?? '') }
    },
    close: () => agent.destroy(),
  }
}
type Door = ReturnType<typeof openDoor>

const pathsIn = (playlist: string) =>
  [...playlist.matchAll(/URI="([^"]+)"|^([^#\s].*)$/gm)].map(
    ([, inTag, line]) => new URL(inTag ?? line ?? '').pathname,
  )

interface Watched {
  requests: number
  hits: number
  bytes: number
}

/** Watches a film from its first to its last segment, as a player does: pictures and sound, one after the other. */
async function watch(door: Door, id: string, credential: string, seen: Watched): Promise<void> {
  const master = pathsIn((await door.get(`/manifest/${id}.m3u8?${credential}`)).text)
  const names = [track, 'audio'].map((name) => master.find((path) => path.includes(`/${name}/index`)) ?? '')
  const [pictures = [], sound = []] = await Promise.all(
    names.map(async (name) => pathsIn((await door.get(name)).text)),
  )
  for (const path of pictures.flatMap((each, index) => [each, ...sound.slice(index, index + 1)])) {
    const { bytes, cache } = await door.get(path)
    seen.requests += 1
    seen.bytes += bytes
    if (cache === 'HIT') seen.hits += 1
  }
}

/** All viewers watch at once. Returns what they got, and the processor seconds of the server. */
async function watchAll(door: Door, pid: number, id: string, credentials: readonly string[]) {
  const seen: Watched = { requests: 0, hits: 0, bytes: 0 }
  const before = cpuSecondsOf(pid)
  await Promise.all(credentials.map((credential) => watch(door, id, credential, seen)))
  return { ...seen, seconds: cpuSecondsOf(pid) - before }
}

async function makeFilm(path: string): Promise<void> {
  const seconds = minutes * 60
  await promisify(execFile)('ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', `testsrc2=s=640x360:r=25:d=${seconds}`],
    ...['-f', 'lavfi', '-i', `sine=440:d=${seconds}:r=48000`],
    ...[
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-b:v',
      '800k',
      '-g',
      '50',
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'aac',
      path,
    ],
  ])
}

const folder = await mkdtemp(join(tmpdir(), 'zoetrope-cdn-'))
const server = await startZoetrope(folder, { TRUSTED_PROXIES: 'loopback' })
const nginx = await startNginx(server.url, { isCache: true })
const direct = openDoor(server.url)
const cached = openDoor(nginx.url, nginx.ca)
try {
  const { keys, app } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as Credentials
  const client = createClient({ url: server.url, apiKey: keys.admin })
  await makeFilm(join(folder, 'film.mp4'))
  const film = await openAsBlob(join(folder, 'film.mp4'))
  const upload = async (title: string): Promise<string> => {
    const form = new FormData()
    form.set('video[title]', title)
    form.set('source', film, 'film.mp4')
    const reply = await fetch(`${server.url}/uploads?api_key=${keys.admin}`, { method: 'POST', body: form })
    const { _id } = ((await reply.json()) as { response: { _id: string } }).response
    // All of it, so that nothing is made while viewers watch.
    for (;;) {
      const { renditions } = await client.videos.get(_id)
      if (renditions.length > 0 && renditions.every(({ status }) => status === 'ready')) return _id
      await delay(500)
    }
  }
  say('making the films…')
  const open = await upload('For everybody')
  const paid = await upload('For subscribers')
  await client.videos.update(paid, { subscription_required: true })
  const { _id: plan_id } = await client.plans.create({
    ...{ name: 'All of it', amount: '4.90', currency: 'USD', interval: 'month', interval_count: 1 },
    ...{ entitlement_type: 'global', active: true },
  })
  say(`signing ${viewers} subscribers in…`)
  const subscribers: string[] = []
  for (let index = 0; index < viewers; index += 1) {
    const username = `viewer-${index}@example.com`
    const { _id } = await client.consumers.create({ email: username, password })
    await client.subscriptions.create({ consumer_id: _id, plan_id })
    const credentials = { clientId: app.client_id, clientSecret: app.client_secret, username, password }
    const { access_token } = await signIn({ url: server.url, ...credentials })
    subscribers.push(`access_token=${access_token}`)
  }
  const anonymous = subscribers.map(() => `api_key=${keys.player}`)
  for (const [group, id, credentials] of [
    ['A film that everybody may watch', open, anonymous],
    ['A film for subscribers, each signed in', paid, subscribers],
  ] as const) {
    const itself = await watchAll(direct, server.pid, id, credentials)
    const through = await watchAll(cached, server.pid, id, credentials)
    if (itself.requests !== through.requests || itself.bytes !== through.bytes)
      throw new Error('nginx sent something else than the server')
    const hits = (through.hits / through.requests) * 100
    const [seconds, ratio] = [through.seconds, through.seconds / itself.seconds]
    add({ group, name: 'segments that viewers fetched', value: through.requests, unit: '' })
    add({ group, name: 'megabytes', value: through.bytes / 1e6, unit: 'MB' })
    add({
      group,
      name: 'of these, hits of nginx',
      value: hits,
      unit: '%',
      ratio: hits / 100,
      target: '≥ 0.95',
    })
    add({
      group,
      name: 'processor time of the server, by itself',
      value: itself.seconds,
      unit: 's',
      ratio: 1,
    })
    add({ group, name: 'the same, behind nginx', value: seconds, unit: 's', ratio, target: '≤ 0.10' })
  }
} finally {
  direct.close()
  cached.close()
  await nginx.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
const facts = [
  madeOn(),
  `${viewers} viewers of ${minutes} minutes at once, over ${connections} connections; the cache is empty at first`,
  'server, PostgreSQL, nginx and load share the machine; processor time is that of the server process, with playlists, which each viewer fetches from it in any case',
  `\`npm run lab -- bench-cdn --viewers ${viewers} --minutes ${minutes}\``,
]
await writeFile(resolve('bench/results/cdn.md'), markdown(lines, facts))
say('written to bench/results/cdn.md')
