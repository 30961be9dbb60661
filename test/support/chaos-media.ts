import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { auditFolder, type MediaAudit } from './chaos-media-audit.js'
import { startUploading, startWatching } from './chaos-uploads.js'
import { makeClip } from './clip.js'
import type { Place } from './cold-viewers.js'
import { serveRanges, startFilmServer } from './film-server.js'
import { checkAlive, kill, untilReady, type Victim } from './kills.js'
import { makeGround, readCredentials, startServer } from './server-process.js'

const victims: readonly Victim[] = ['worker', 'ffmpeg', 'server', 'PostgreSQL']

const longestPauseMs = 10_000

/** What is killed, for how long, while which films come in. */
export interface FilmKillOptions {
  readonly kills: number
  /** The maximum number of acknowledged uploads. No kill happens after `longestMs`. */
  readonly uploads: number
  /** The length of the films. */
  readonly seconds: number
  readonly longestMs: number
  /** How long the viewers pause between two segments. */
  readonly viewersPauseMs?: number
  readonly random: () => number
  readonly report: (line: string) => void
}

export interface FilmKillResult extends MediaAudit {
  /** How often each kind of process was killed. */
  readonly kills: Readonly<Record<string, number>>
  readonly attempted: number
  readonly acknowledged: number
  readonly served: number
  readonly partial: readonly string[]
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
export async function runMediaChaos(options: FilmKillOptions): Promise<FilmKillResult> {
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
    const uploading = startUploading(place, clips, `${films.url}/film.mp4`, () => uploads)
    const watching = startWatching(place, random, options.viewersPauseMs)
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
    const audit = await auditFolder(place, settings, uploading.acknowledged, report)
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
