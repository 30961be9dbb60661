import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { auditMedia, type MediaAudit } from './chaos-media-audit.js'
import { startUploading, startWatching } from './chaos-uploads.js'
import { makeClip } from './clip.js'
import type { Place } from './cold-viewers.js'
import { serveRanges, startFilmServer } from './film-server.js'
import { patienceMs } from './patience.js'
import { childrenOf, workersOf } from './processes.js'
import {
  makeGround,
  postmasterPid,
  type RunningServer,
  readCredentials,
  startServer,
} from './server-process.js'

type Settings = Parameters<typeof startServer>[0] & { readonly DATA_DIR: string }
export type MediaVictim = 'server' | 'worker' | 'ffmpeg' | 'PostgreSQL'
const victims: readonly MediaVictim[] = ['worker', 'ffmpeg', 'server', 'PostgreSQL']

const longestPauseMs = 10_000

export interface MediaChaosOptions {
  readonly kills: number
  /** The maximum number of acknowledged uploads. No kill happens after `longestMs`. */
  readonly uploads: number
  /** The length of the films. */
  readonly seconds: number
  readonly longestMs: number
  readonly random: () => number
  readonly report: (line: string) => void
}

export interface MediaChaosResult extends MediaAudit {
  readonly kills: Readonly<Record<MediaVictim, number>>
  readonly attempted: number
  readonly acknowledged: number
  readonly served: number
  readonly partial: readonly string[]
}

/** Returns the processes of ours that this kill can hit now. */
async function pidsOf(victim: MediaVictim, server: RunningServer, env: Settings): Promise<number[]> {
  if (victim === 'server') return [server.pid]
  if (victim === 'PostgreSQL') return [await postmasterPid(env).catch(() => 0)].filter((pid) => pid > 0)
  const workers = await workersOf(server.pid)
  if (victim === 'worker') return workers
  const children = await Promise.all([server.pid, ...workers].map(childrenOf))
  return children.flat().flatMap(({ pid, command }) => (/\bffmpeg /.test(command) ? [pid] : []))
}

/** Kills one of them. Returns whether there was one, and the server that runs afterwards. */
async function kill(victim: MediaVictim, server: RunningServer, env: Settings, random: () => number) {
  let pids = await pidsOf(victim, server, env)
  for (let looks = 0; pids.length === 0 && looks < 50; looks += 1) {
    await delay(50)
    pids = await pidsOf(victim, server, env)
  }
  const pid = pids[Math.floor(random() * pids.length)]
  if (pid === undefined) return { isDone: false, server }
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    return { isDone: false, server }
  }
  if (victim !== 'server') return { isDone: true, server }
  await server.ended
  return { isDone: true, server: await startServer(env) }
}

/** A server that exits without being killed has a bug. Its last output says which. */
async function checkAlive({ ended }: RunningServer): Promise<void> {
  const ending = await Promise.race([ended, delay(0, undefined)])
  if (!ending) return
  const { code, signal, stdout, stderr } = ending
  throw new Error(`The server has ended (${code ?? signal}): ${stderr.slice(-3000)}${stdout.slice(-3000)}`)
}

/** A server that never becomes ready between two kills proves nothing. */
async function untilReady(url: string): Promise<void> {
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (const begun = Date.now(); Date.now() - begun < patienceMs && !(await isReady()); ) await delay(50)
}

/** Waits until the films have come further, or are all complete. On a busy machine nothing would be made between kills. */
async function untilFurther({ url, key }: Place): Promise<void> {
  const look = async () => {
    const reply = await fetch(`${url}/videos?api_key=${key}&active=all&per_page=100&order=asc&sort=title`)
    const { response } = (await reply.json()) as {
      response: { updated_at: string; complete_at: string | null }[]
    }
    const isIdle = response.every(({ complete_at }) => complete_at !== null)
    return { isIdle, state: response.map(({ updated_at }) => updated_at).join() }
  }
  const begun = Date.now()
  const first = await look().catch(() => undefined)
  while (first && !first.isIdle && Date.now() - begun < longestPauseMs) {
    const now = await look().catch(() => first)
    if (now.isIdle || now.state !== first.state) return
    await delay(200)
  }
}

/**
 * Kills the server, its worker, ffmpeg and PostgreSQL repeatedly while films are uploaded and watched, then audits
 * them.
 */
export async function runMediaChaos(options: MediaChaosOptions): Promise<MediaChaosResult> {
  const { kills, uploads, seconds, longestMs, random, report } = options
  const clips = await Promise.all([
    makeClip({ size: '480x270', seconds, rate: '12' }),
    makeClip({ size: '320x240', seconds, rate: '12', codec: 'mpeg4' }),
  ])
  const { env, remove } = await makeGround()
  const settings = { ...env, LOG_LEVEL: 'warn', IMPORT_NETWORKS: '127.0.0.1' }
  const films = await startFilmServer()
  const film = await readFile(clips[0] ?? '')
  // Slow enough for a kill to interrupt the transfer.
  films.answer((request, reply) => serveRanges(film, request, reply, { pauseMs: 50 }))
  let server = await startServer(settings)
  const done = { server: 0, worker: 0, ffmpeg: 0, PostgreSQL: 0 }
  const sum = () => Object.values(done).reduce((all, each) => all + each, 0)
  try {
    const { keys } = await readCredentials(env)
    const place = { url: server.url, key: keys.admin }
    const uploading = startUploading(place, clips, `${films.url}/film.mp4`, uploads)
    const watching = startWatching(place, random)
    const begun = Date.now()
    for (let tries = 0; sum() < kills && Date.now() - begun < longestMs; tries += 1) {
      await untilReady(server.url)
      await checkAlive(server)
      if (random() < 0.5) await untilFurther(place)
      await delay(200 + random() * 3000)
      // Every kind of victim is killed once before any is killed again.
      const victim =
        victims[tries < victims.length ? tries : Math.floor(random() * victims.length)] ?? 'worker'
      const outcome = await kill(victim, server, settings, random)
      server = outcome.server
      if (!outcome.isDone) continue
      done[victim] += 1
      report(`${sum()}. ${victim} killed; ${uploading.acknowledged.size} uploads acknowledged`)
    }
    await uploading.stop()
    const audit = await auditMedia(place, settings, uploading.acknowledged, report)
    await watching.stop()
    const { attempted, acknowledged } = uploading
    return {
      kills: done,
      attempted,
      acknowledged: acknowledged.size,
      served: watching.served,
      partial: watching.partial,
      ...audit,
    }
  } finally {
    await server.stop()
    await films.stop()
    await remove()
  }
}
