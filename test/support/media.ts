import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { jobs } from '../../packages/server/src/jobs/index.js'
import { startWorker } from '../../packages/server/src/queue/worker.js'
import type { TestApi } from './api.js'
import { urlOf } from './postgres.js'

/** A worker beside the server, as `npm start` has one. */
export function openWorker(api: TestApi): { stop(): Promise<void> } {
  const { database, parts, media } = api
  const mailer = { send: async () => 'not sent' }
  return startWorker({
    connectionUrl: urlOf(api.connection),
    jobs,
    context: {
      database,
      sealer: parts.sealer,
      mailer,
      media,
      loginUrl: api.url,
      playerUrl: api.url,
      log: { info: () => {} },
    },
    concurrency: 2,
    onError: () => {},
  })
}

/** Uploads a file as a new video; answers with its record. */
export async function uploadClip(api: TestApi, path: string, title: string) {
  const form = new FormData()
  form.set('video[title]', title)
  form.set('source', new Blob([await readFile(path)]), 'clip.mp4')
  const reply = await fetch(`${api.url}/uploads?api_key=${api.channel.keys.admin}`, {
    method: 'POST',
    body: form,
  })
  if (reply.status !== 201) throw new Error(`${reply.status} ${await reply.text()}`)
  return ((await reply.json()) as { response: { _id: string; status: string } }).response
}

/** Waits until a video can be played or has failed. */
export async function untilPrepared(api: TestApi, id: string) {
  for (let tries = 0; tries < 300; tries += 1) {
    const video = await api.as('admin').videos.get(id)
    if (video.status !== 'processing') return video
    await delay(50)
  }
  throw new Error('It is still being prepared')
}
