import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Catalog, RecordOf } from '@zoetrope/contract'
import { isMishap, outageOf } from '../../packages/server/src/films/mishap.js'
import type { JobContext } from '../../packages/server/src/jobs/define-job.js'
import { jobs } from '../../packages/server/src/jobs/index.js'
import { startWorker } from '../../packages/server/src/queue/worker.js'
import type { TestApi } from './api.js'
import { urlOf } from './postgres.js'

/** The context of jobs, for tests that run a job directly. */
export const contextOf = ({ database, parts, media, url }: TestApi): JobContext => ({
  database,
  sealer: parts.sealer,
  mailer: { send: async () => 'not sent' },
  media,
  loginUrl: url,
  apiUrl: url,
  playerUrl: parts.playerUrl,
  mediaUrl: parts.mediaUrl,
  eventDays: 30,
  log: { info: () => {}, warn: () => {} },
})

/** Starts a worker beside the server, as `npm start` does. */
export function openWorker(api: TestApi): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const worker = startWorker({
    connectionUrl: urlOf(api.connection),
    jobs,
    context: { ...contextOf(api), signal: stopping.signal },
    concurrency: 2,
    isMishap,
    outageOf,
    onError: () => {},
  })
  return {
    async stop() {
      stopping.abort()
      await worker.stop()
    },
  }
}

/** Uploads a file as a new video. Returns its record. */
export const uploadClip = (api: TestApi, path: string, title: string) =>
  uploadFilm(api, path, { 'video[title]': title })

/** Uploads a file with other fields. Returns the video's record. */
export async function uploadFilm(api: TestApi, path: string, fields: Readonly<Record<string, string>>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('source', new Blob([await readFile(path)]), 'clip.mp4')
  const reply = await fetch(`${api.url}/uploads?api_key=${api.channel.keys.admin}`, {
    method: 'POST',
    body: form,
  })
  if (reply.status !== 201) throw new Error(`${reply.status} ${await reply.text()}`)
  return ((await reply.json()) as { response: RecordOf<Catalog['videos']> }).response
}

/** Waits until a video is playable or has failed. */
export async function untilPrepared(api: TestApi, id: string) {
  for (let tries = 0; tries < 3000; tries += 1) {
    const video = await api.as('admin').videos.get(id)
    if (video.status !== 'processing') return video
    await delay(50)
  }
  throw new Error('It is still being prepared')
}
