/** What films wait for is said: in their records, by /readyz, in the dashboard and in the log. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { createClient } from '@zoetrope/sdk'
import { logged, startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { until } from '../support/patience.js'
import { workersOf } from '../support/processes.js'
import { addPublisher, signInAs } from '../support/publishers.js'
import { settingsOf, startS3 } from '../support/s3.js'
import { startFaultProxy } from '../support/s3-faults.js'
import { makeGround, readCredentials, startServer } from '../support/server-process.js'

const quick = { outageSeconds: 1, unservedSeconds: 1 }
const clip = () => makeClip({ size: '160x90', rate: '15', seconds: 6 })

const warningsOf = async (url: string): Promise<readonly string[]> => {
  const reply = await fetch(`${url}/readyz`)
  assert.equal(reply.status, 200)
  return ((await reply.json()) as { warnings?: string[] }).warnings ?? []
}

/** Waits until all places say what a film waits for. Returns what its record says. */
async function untilSaid(api: TestApi, id: string, words: RegExp): Promise<string> {
  const owner = await signInAs(api, await addPublisher(api, [api.channel, 'owner']))
  const reason = await until(
    'The reason',
    async () => (await api.as('admin').videos.get(id)).status_reason || undefined,
  )
  assert.equal((await api.as('admin').videos.get(id)).status, 'processing')
  const warning = (await warningsOf(api.url)).find((each) => words.test(each))
  assert.ok(warning)
  const status = (await owner.call('GET', 'status', undefined, api.channel)).body
  assert.ok(status.problems.some((problem: string) => words.test(problem)))
  const overview = (await owner.call('GET', 'overview', undefined, api.channel)).body
  const waiting: { status_reason: string | null }[] = overview.attention.waiting.videos
  assert.ok(waiting.some((video) => video.status_reason === reason))
  assert.ok(logged.some((line) => line.includes('"level":40') && words.test(line)))
  return reason
}

async function assertOver(api: TestApi, id: string): Promise<void> {
  const { status, status_reason } = await untilPrepared(api, id)
  assert.deepEqual([status, status_reason], ['ready', null])
  await until('The end of the warnings', async () => (await warningsOf(api.url)).length === 0)
  await until('The line in the log', () => logged.some((line) => line.includes('This is over: ')))
}

test('a film that waits for a store that refuses larger writes says so, and goes on', async () => {
  const s3 = await startS3()
  const store = await startFaultProxy(s3.port, { rate: 0, random: () => 1 })
  const api = await startOwnApi({ storage: settingsOf(store.port), patience: quick })
  const worker = openWorker(api)
  const { _id } = await uploadClip(api, await clip(), 'Waits for its store')
  store.refuseAbove(2000)
  const reason = await untilSaid(api, _id, /Films have waited for the media storage since 20/)
  assert.match(reason, /^Waiting since 20\d\d-\d\d-\d\d \d\d:\d\d UTC: the media storage does not accept/)
  assert.doesNotMatch(reason, /127\.0\.0\.1|500|InternalError/)
  store.refuseAbove(Number.POSITIVE_INFINITY)
  await assertOver(api, _id)
  await worker.stop()
  await api.stop()
  await store.stop()
  await s3.stop()
})

test('a film and an import that no worker takes say so, and go on when there is one', async () => {
  const api = await startOwnApi({ patience: quick })
  const { _id } = await uploadClip(api, await clip(), 'Waits for a worker')
  const { video_imports } = api.as('admin')
  const { _id: imported } = await video_imports.create({ source_url: 'http://films.invalid/film.mp4' })
  const reason = await untilSaid(api, _id, /nobody takes them.*No worker is running/)
  assert.match(reason, /^Waiting since 20.* UTC: no worker is running/)
  await until('The reason of the import', async () =>
    /no worker is running/.test((await video_imports.get(imported)).status_reason ?? ''),
  )
  const worker = openWorker(api)
  await assertOver(api, _id)
  await until('Another reason', async () => {
    const { status_reason } = await video_imports.get(imported)
    return !/no worker is running/.test(status_reason ?? '')
  })
  await worker.stop()
  await api.stop()
})

test('a worker whose process hangs is noticed, and one that works again', async () => {
  const ground = await makeGround()
  const server = await startServer(ground.env)
  const { keys } = await readCredentials(ground.env)
  const client = createClient({ url: server.url, apiKey: keys.admin })
  const [worker] = await until('The worker', async () => {
    const pids = await workersOf(server.pid)
    return pids.length > 0 && pids
  })
  process.kill(worker as number, 'SIGSTOP')
  const form = new FormData()
  form.set('source', new Blob([await readFile(await clip())]), 'clip.mp4')
  const reply = await fetch(`${server.url}/uploads?api_key=${keys.admin}`, { method: 'POST', body: form })
  const { response } = (await reply.json()) as { response: { _id: string } }
  await until('The warning', async () =>
    (await warningsOf(server.url)).some((each) => /all of them hang/.test(each)),
  )
  await until('The reason', async () => (await client.videos.get(response._id)).status_reason)
  process.kill(worker as number, 'SIGCONT')
  await until('The film', async () => {
    const { status, status_reason } = await client.videos.get(response._id)
    return status === 'ready' && status_reason === null
  })
  await until('The end of the warning', async () => (await warningsOf(server.url)).length === 0)
  await server.stop()
  await ground.remove()
})
