/** What a running server logs, and what it does while its database is unavailable. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { patienceMs } from '../support/patience.js'
import {
  type Credentials,
  isAlive,
  makeGround,
  postmasterPid,
  type RunningServer,
  readCredentials,
  startServer,
} from '../support/server-process.js'

let ground: Awaited<ReturnType<typeof makeGround>>
let server: RunningServer
let credentials: Credentials
before(async () => {
  ground = await makeGround()
  server = await startServer({ ...ground.env, LOG_LEVEL: 'trace' })
  credentials = await readCredentials(ground.env)
})
after(async () => {
  await server.stop()
  await ground.remove()
})

const get = (path: string) =>
  fetch(server.url + path, {
    headers: { 'x-api-key': credentials.keys.admin },
    signal: AbortSignal.timeout(patienceMs),
  })

/** Retries until the path returns the status. Returns how long that took and the last response. */
async function until(
  path: string,
  status: number,
): Promise<{ ms: number; reply: Response; body: { message?: string } }> {
  const begun = performance.now()
  for (;;) {
    const reply = await get(path)
    const body = (await reply.json()) as { message?: string }
    const ms = Math.round(performance.now() - begun)
    if (reply.status === status || ms > patienceMs) return { ms, reply, body }
    await delay(20)
  }
}

test('every request is a line of JSON with its id, and no secret is in any line', async () => {
  const { keys, app, publisher } = credentials
  const secrets = [...Object.values(keys), app.app_key, app.client_secret, publisher.password]
  const ids: string[] = []
  const ask = async (path: string, init: RequestInit = {}) => {
    const reply = await fetch(server.url + path, init)
    ids.push(reply.headers.get('x-request-id') ?? '')
  }
  for (const secret of secrets) {
    await ask(`/videos?api_key=${secret}`)
    await ask(`/videos/${secret}?app_key=${secret}`.replace(`/${secret}`, '/0'))
    await ask('/videos', { headers: { 'x-api-key': secret } })
    await ask('/videos', { headers: { authorization: `Bearer ${secret}` } })
    await ask('/videos', { method: 'POST', body: new URLSearchParams({ api_key: secret, title: 't' }) })
    await ask('/videos', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"app_key": "${secret}", "title": `,
    })
    await ask('/videos', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ access_token: secret, password: secret }),
    })
    await ask('/videos', {
      method: 'POST',
      headers: { 'content-type': 'text/xml' },
      body: `<video><api_key>${secret}</api_key>`,
    })
  }
  await delay(1500)

  const { stdout, stderr } = server.output()
  assert.equal(stderr, '')
  for (const secret of secrets) assert.ok(!stdout.includes(secret))
  const lines = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { request_id?: string; msg: string })
  const logged = new Set(lines.filter(({ msg }) => msg === 'request').map(({ request_id }) => request_id))
  assert.deepEqual(
    ids.filter((id) => !logged.has(id)),
    [],
  )
})

/** Returns the processes of PostgreSQL: the postmaster and its children. */
async function postgresPids(): Promise<number[]> {
  const pid = await postmasterPid(ground.env)
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return [pid, ...children.split(' ').filter(Boolean).map(Number)]
}

/** Ignores processes that have already ended. */
function send(pid: number, signal: NodeJS.Signals): void {
  if (isAlive(pid)) process.kill(pid, signal)
}

/** Returns the response of a path that cannot be served. */
async function refusalOf(path: string) {
  const { reply, body } = await until(path, 503)
  return { status: reply.status, retry: reply.headers.get('retry-after'), message: body.message }
}

const unavailable = /^The database cannot be reached for the moment\./

/** Runs the work while every process of PostgreSQL is stopped. */
async function whileFrozen(work: () => Promise<void>): Promise<void> {
  await until('/videos', 200)
  const pids = await postgresPids()
  for (const pid of pids) send(pid, 'SIGSTOP')
  try {
    await work()
  } finally {
    for (const pid of pids) send(pid, 'SIGCONT')
  }
}

test('while PostgreSQL is frozen, the server says that it is alive but not ready', () =>
  whileFrozen(async () => {
    const { status, retry, message } = await refusalOf('/readyz')
    assert.deepEqual({ status, retry }, { status: 503, retry: '1' })
    assert.match(message ?? '', unavailable)
    assert.equal((await get('/healthz')).status, 200)
    const metrics = await get('/metrics')
    assert.equal(metrics.status, 200)
    assert.match(await metrics.text(), /^zoetrope_database_up 0$/m)
  }))

test('while PostgreSQL is frozen, requests get 503 with Retry-After', () =>
  whileFrozen(async () => {
    const { status, retry, message } = await refusalOf('/videos?page=1')
    assert.deepEqual({ status, retry }, { status: 503, retry: '1' })
    assert.match(message ?? '', unavailable)
  }))

test('when PostgreSQL wakes, all works again', async (context) => {
  const { ms, reply } = await until('/videos?page=2', 200)
  context.diagnostic(`back ${ms} ms after PostgreSQL woke`)
  assert.equal(reply.status, 200)
  assert.equal((await until('/readyz', 200)).reply.status, 200)
})

test('when PostgreSQL is killed, requests get 503 until it has been started again by itself', async (context) => {
  const before = await postmasterPid(ground.env)
  for (const pid of await postgresPids()) send(pid, 'SIGKILL')
  const begun = performance.now()
  const seen = new Set<number>()
  while (performance.now() - begun < patienceMs && !(seen.has(503) && seen.has(200))) {
    const { status } = await get(`/videos?page=${seen.size}&x=${performance.now()}`)
    if (status === 503 || seen.has(503)) seen.add(status)
  }

  context.diagnostic(`back ${Math.round(performance.now() - begun)} ms after kill -9 of all of PostgreSQL`)
  assert.deepEqual([...seen], [503, 200])
  assert.notEqual(await postmasterPid(ground.env), before)
})
