import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { startEmbeddedPostgres } from '../../packages/server/src/db/embedded/embedded-postgres.js'
import type { FilmKillOptions, FilmKillResult } from './chaos-media.js'
import { auditMedia, type StoredFile } from './chaos-media-audit.js'
import { startUploading, startWatching } from './chaos-uploads.js'
import { makeClip } from './clip.js'
import type { Place } from './cold-viewers.js'
import { serveRanges, startFilmServer } from './film-server.js'
import { untilReady } from './kills.js'
import { forgetful } from './postgres.js'
import { childrenOf } from './processes.js'
import { startS3, storageUrlOf, type TestS3 } from './s3.js'
import { freePort, launch, makeGround, readCredentials, type ServerProcess } from './server-process.js'
import { openDoor } from './tcp-door.js'

const victims = ['server', 'worker', 'ffmpeg'] as const
type NodeVictim = (typeof victims)[number]

interface NodeKillResult extends FilmKillResult {
  readonly deleted: number
  /** Deleted, but still shown. */
  readonly returned: readonly string[]
}

/** A server or a worker with a folder of its own, which is started again after each kill. */
interface ChaosNode {
  readonly kind: 'server' | 'worker'
  readonly url: string
  process: ServerProcess
  start(): ServerProcess
  remove(): Promise<void>
}

async function openNode(
  kind: ChaosNode['kind'],
  settings: Readonly<Record<string, string>>,
): Promise<ChaosNode & { readonly env: Awaited<ReturnType<typeof makeGround>>['env'] }> {
  const { env, remove } = await makeGround()
  const PORT = await freePort()
  const start = () => launch([kind === 'server' ? 'start' : 'worker'], { ...env, PORT, ...settings })
  return { kind, env, url: `http://127.0.0.1:${PORT}`, process: start(), start, remove }
}

const pickFrom = <T>(list: readonly T[], random: () => number): T =>
  list[Math.floor(random() * list.length)] as T

/** Kills one process of this kind, or an ffmpeg of one. Returns whether there was one. */
async function killOne(victim: NodeVictim, nodes: readonly ChaosNode[], random: () => number) {
  if (victim === 'ffmpeg') {
    const children = await Promise.all(nodes.map((node) => childrenOf(node.process.pid)))
    const running = children.flat().filter(({ command }) => /\bffmpeg /.test(command))
    if (running.length === 0) return false
    try {
      return process.kill(pickFrom(running, random).pid, 'SIGKILL')
    } catch {
      return false
    }
  }
  const node = pickFrom(
    nodes.filter(({ kind }) => kind === victim),
    random,
  )
  node.process.signal('SIGKILL')
  await node.process.ended
  node.process = node.start()
  return true
}

/** A process that ends without being killed has a bug. Its last output says which. */
async function checkNodes(nodes: readonly ChaosNode[]): Promise<void> {
  for (const { kind, process } of nodes) {
    const ending = await Promise.race([process.ended, delay(0, undefined)])
    if (ending)
      throw new Error(`A ${kind} has ended (${ending.code}): ${ending.stderr}${ending.stdout.slice(-2000)}`)
  }
}

/** Deletes a film now and then, and repeats each deletion until it is answered. */
function startDeleting(place: Place, random: () => number) {
  const deleted = new Set<string>()
  const stopping = new AbortController()
  const send = (path: string, method = 'GET') =>
    fetch(`${place.url}${path}${path.includes('?') ? '&' : '?'}api_key=${place.key}`, { method })
  async function deleteOne(): Promise<void> {
    const list = await send('/videos?status=ready&per_page=20')
    const { response } = (await list.json()) as { response: { _id: string; title: string }[] }
    const video = response.length > 2 ? pickFrom(response, random) : undefined
    if (!video) return
    deleted.add(video.title)
    for (;;) {
      const status = await send(`/videos/${video._id}`, 'DELETE').then(
        (reply) => reply.status,
        () => 0,
      )
      if (status === 204 || status === 404) return
      await delay(100)
    }
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      await deleteOne().catch(() => {})
      await delay(4000 + random() * 8000, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    deleted,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** The files of films in the store, by the id of their source. */
function filesIn({ store }: TestS3): StoredFile[] {
  const ids = new Map<string, StoredFile>()
  for (const name of store.objects.keys()) {
    const [, kind, id] = /^zoetrope\/objects\/([^/]+)\/([^/]+)\//.exec(name) ?? []
    if (kind && id && kind !== 'aside') ids.set(`${kind}/${id}`, { kind, id })
  }
  return [...ids.values()]
}

/**
 * Two servers and two workers, each with a folder of its own, share a PostgreSQL and a bucket. Any of them is killed while
 * films are uploaded, watched and deleted. Every request goes to either server, also those that continue an upload.
 */
export async function runNodeChaos(options: FilmKillOptions): Promise<NodeKillResult> {
  const { kills, uploads, seconds, longestMs, random, report } = options
  const clips = await Promise.all([
    makeClip({ size: '480x270', seconds, rate: '12' }),
    makeClip({ size: '320x240', seconds, rate: '12', codec: 'mpeg4' }),
  ])
  const ground = await makeGround()
  const database = await startEmbeddedPostgres({
    folder: join(ground.folder, 'postgres'),
    log: () => {},
    settings: { ...forgetful, max_connections: '300' },
  })
  const door = await openDoor(database.connection)
  const s3 = await startS3()
  const films = await startFilmServer()
  const film = await readFile(clips[0] ?? '')
  films.answer((request, reply) => serveRanges(film, request, reply, { pauseMs: 50 }))
  const settings = {
    DATABASE_URL: door.url,
    SECRET_KEY: 'k'.repeat(40),
    STORAGE_URL: storageUrlOf(s3.port),
    IMPORT_NETWORKS: '127.0.0.1',
    LOG_LEVEL: 'warn',
    WORKERS: '0',
    ENCODERS: '1',
  }
  const first = await openNode('server', settings)
  await untilReady(first.url)
  const nodes = [
    first,
    await openNode('server', settings),
    await openNode('worker', settings),
    await openNode('worker', settings),
  ]
  const servers = nodes.filter(({ kind }) => kind === 'server')
  const sql = postgres({ ...database.connection, max: 1, onnotice: () => {} })
  const done = { server: 0, worker: 0, ffmpeg: 0 }
  const sum = () => Object.values(done).reduce((all, each) => all + each, 0)
  try {
    const { keys } = await readCredentials(first.env)
    const place: Place = {
      key: keys.admin,
      get url() {
        return pickFrom(servers, random).url
      },
    }
    const uploading = startUploading(place, clips, `${films.url}/film.mp4`, () =>
      // Films come in until the last kill.
      Math.min(uploads, 3 + sum()),
    )
    const watching = startWatching(place, random, options.viewersPauseMs)
    const deleting = startDeleting(place, random)
    const begun = Date.now()
    for (let tries = 0; sum() < kills && Date.now() - begun < longestMs; tries += 1) {
      await Promise.all(servers.map(({ url }) => untilReady(url)))
      await checkNodes(nodes)
      await delay(200 + random() * 3000)
      const victim = victims[tries] ?? pickFrom(victims, random)
      if (!(await killOne(victim, nodes, random))) continue
      done[victim] += 1
      const { acknowledged } = uploading
      report(
        `${sum()}. ${victim} killed; ${acknowledged.size} uploads acknowledged, ${deleting.deleted.size} deleted`,
      )
    }
    await Promise.all(servers.map(({ url }) => untilReady(url)))
    await deleting.stop()
    await uploading.stop()
    const { attempted, acknowledged } = uploading
    const { deleted } = deleting
    const kept = new Set([...acknowledged].filter((title) => !deleted.has(title)))
    const audit = await auditMedia(place, { sql, files: async () => filesIn(s3) }, kept, report)
    await watching.stop()
    const shown = await sql<{ title: string }[]>`
      select title from videos where title = any(${[...deleted]}) and deleted_at is null
    `
    return {
      kills: done,
      attempted,
      acknowledged: acknowledged.size,
      deleted: deleted.size,
      served: watching.served,
      partial: watching.partial,
      returned: shown.map(({ title }) => title),
      ...audit,
    }
  } finally {
    for (const node of nodes) node.process.signal('SIGTERM')
    for (const node of nodes) await node.process.ended
    for (const node of nodes) await node.remove()
    await sql.end()
    await films.stop()
    await door.close()
    await s3.stop()
    await database.stop()
    await ground.remove()
  }
}
