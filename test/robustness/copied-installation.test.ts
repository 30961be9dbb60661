/** A copy of an installation that is tried with the same bucket does no harm to the original. */
import assert from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startAnyS3 } from '../support/any-s3.js'
import { until } from '../support/patience.js'
import { addressOf } from '../support/s3.js'
import {
  freePort,
  makeGround,
  type RunningServer,
  readCredentials,
  runCommand,
  startServer,
} from '../support/server-process.js'
import { type Receiver, startReceiver } from '../support/webhook-receiver.js'

let s3: Awaited<ReturnType<typeof startAnyS3>>
let ground: Awaited<ReturnType<typeof makeGround>>
let receiver: Receiver
const servers: RunningServer[] = []
before(async () => {
  s3 = await startAnyS3()
  ground = await makeGround()
  receiver = await startReceiver()
})
after(async () => {
  for (const server of servers) await server.stop()
  await receiver.stop()
  await ground.remove()
  await s3.stop()
})

const start = async (env: Parameters<typeof startServer>[0]) => {
  const server = await startServer(env)
  servers.push(server)
  return server
}

test('a copy with the same bucket sends and deletes nothing until it is adopted', async () => {
  const env = { ...ground.env, STORAGE_URL: addressOf(s3.settings()), WEBHOOK_NETWORKS: 'loopback' }
  const first = await start({ ...env, WORKERS: '0' })
  const { keys } = await readCredentials(ground.env)
  const headers = { 'x-api-key': keys.admin, 'content-type': 'application/json' }
  const post = async (url: string, path: string, body: object) => {
    const reply = await fetch(`${url}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.equal(reply.status, 201, await reply.clone().text())
  }
  const upload = async (url: string, title: string) => {
    const form = new FormData()
    form.set('video[title]', title)
    form.set('source', new Blob(['not a film']), 'film.mp4')
    const reply = await fetch(`${url}/uploads`, {
      method: 'POST',
      headers: { 'x-api-key': keys.admin },
      body: form,
    })
    assert.equal(reply.status, 201, await reply.clone().text())
    return ((await reply.json()) as { response: { _id: string } }).response._id
  }
  const warningsOf = async (url: string): Promise<string[]> =>
    (await (await fetch(`${url}/readyz`)).json()).warnings ?? []
  const sentFor = (title: string) => receiver.received.filter(({ body }) => body.includes(title)).length

  await post(first.url, 'webhooks', { webhook: { url: receiver.url, events: ['video.created'] } })
  await post(first.url, 'videos', { video: { title: 'Waiting to be sent' } })
  const bytes = Buffer.from('a film that arrives in two parts')
  const tus = { 'x-api-key': keys.admin, 'tus-resumable': '1.0.0' }
  const begun = await fetch(`${first.url}/uploads/tus`, {
    method: 'POST',
    headers: { ...tus, 'upload-length': String(bytes.length) },
  })
  const path = begun.headers.get('location') ?? ''
  const send = async (url: string, from: number, to: number) => {
    const type = 'application/offset+octet-stream'
    const reply = await fetch(`${url}${path}`, {
      method: 'PATCH',
      headers: { ...tus, 'upload-offset': String(from), 'content-type': type },
      body: bytes.subarray(from, to),
    })
    assert.equal(reply.status, 204, await reply.text())
  }
  await send(first.url, 0, 10)
  await first.stop()
  const copied = { ...env, PORT: await freePort(), DATA_DIR: join(ground.folder, 'copy') }
  await cp(ground.env.DATA_DIR, copied.DATA_DIR, { recursive: true, preserveTimestamps: true })

  const original = await start({ ...env, WORKERS: '1' })
  await until('the original sends', () => sentFor('Waiting to be sent') === 1)
  await upload(original.url, 'The newest')
  await send(original.url, 10, bytes.length)
  assert.deepEqual(await warningsOf(original.url), [])

  const copy = await start({ ...copied, WORKERS: '1' })
  const [warning = ''] = await warningsOf(copy.url)
  assert.match(warning, /^The database is older than the media storage: .*`zoetrope adopt`/)
  await until('a line of the log', () => copy.output().stdout.includes('The database is older than the'))
  const id = await upload(copy.url, 'Of the copy')
  // Its worker works: it finds out that this is no film.
  await until('the copy has looked at the film', async () => {
    const { response } = await (await fetch(`${copy.url}/videos/${id}`, { headers })).json()
    return response.status === 'failed'
  })
  assert.deepEqual([sentFor('Waiting to be sent'), sentFor('Of the copy')], [1, 0])
  // In the copy that upload is still under way.
  const cancelled = await fetch(`${copy.url}${path}`, { method: 'DELETE', headers: tus })
  assert.equal(cancelled.status, 204, await cancelled.text())
  assert.match((await runCommand(['storage', 'status'], env)).stdout, /^Place: .*\. 3 films, /)
  const swept = await runCommand(['storage', 'sweep', '--confirm'], copied)
  assert.equal(swept.code, 1)
  assert.equal((await runCommand(['storage', 'sweep', '--confirm'], env)).code, 0)
  assert.deepEqual(await warningsOf(original.url), [])

  await original.stop()
  assert.equal((await runCommand(['adopt'], copied)).code, 0)
  await until('the copy sends', () => sentFor('Of the copy') === 1)
  for (const server of servers) assert.equal(server.output().stderr, '', 'no library warns of anything')
  await until('the copy warns of nothing', async () => (await warningsOf(copy.url)).length === 0)
})
