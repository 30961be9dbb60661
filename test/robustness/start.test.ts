/** The server process as its operator sees it. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { until } from '../support/patience.js'
import { childrenOf, workersOf } from '../support/processes.js'
import { noteFields } from '../support/secrets.js'
import {
  freePort,
  isAlive,
  launch,
  makeGround,
  postmasterPid,
  type RunningServer,
  readCredentials,
  startServer,
} from '../support/server-process.js'

const run = promisify(execFile)

let ground: Awaited<ReturnType<typeof makeGround>>
/** The fragment of the link in the first welcome. */
let token: string | undefined
let server: RunningServer
before(async () => {
  ground = await makeGround()
})
after(async () => {
  await server.stop()
  await ground.remove()
})

const videos = async (key: string) => {
  const reply = await fetch(`${server.url}/videos`, { headers: { 'x-api-key': key } })
  return ((await reply.json()) as { response: { _id: string; title: string }[] }).response
}

test('the first start makes the folder, the credentials and all else by itself, and says so', async (context) => {
  server = await startServer(ground.env)
  context.diagnostic(`ready ${server.msToReady} ms after the first start`)

  const { stdout, stderr } = server.output()
  const [welcome = ''] = stdout.split('\n{')
  assert.equal(stderr, '')
  assert.match(welcome, /^\nZoetrope is running\. Welcome!\n/)
  for (const said of [
    server.url,
    `${server.url}/dashboard`,
    `${server.url}/docs`,
    ground.env.DATA_DIR,
    'credentials.json',
    'curl ',
    'Ctrl-C',
  ])
    assert.ok(welcome.includes(said), said)
})

test('credentials.json has exactly the promised shape and only its owner can read it', async () => {
  const path = join(ground.env.DATA_DIR, 'credentials.json')
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.equal((await stat(join(ground.env.DATA_DIR, 'secret-key'))).mode & 0o777, 0o600)

  const credentials = await readCredentials(ground.env)
  const shape = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shape(inner)]))
      : typeof value
  assert.deepEqual(shape(credentials), {
    url: 'string',
    channel: { _id: 'string', title: 'string' },
    keys: { admin: 'string', read_only: 'string', player: 'string' },
    app: { _id: 'string', app_key: 'string', client_id: 'string', client_secret: 'string' },
    publisher: { email: 'string', password: 'string' },
  })
  assert.equal(credentials.url, server.url)
})

test('the welcome shows no secret, and its curl line makes a video', async () => {
  const { stdout } = server.output()
  const { keys, app, publisher } = await readCredentials(ground.env)
  for (const secret of [...Object.values(keys), app.app_key, app.client_secret, publisher.password])
    assert.ok(!stdout.includes(secret))

  const line = /^ +(curl .*)$/m.exec(stdout)?.[1] ?? ''
  const { stdout: answer } = await run('sh', ['-c', line])
  assert.equal((JSON.parse(answer) as { response: { title: string } }).response.title, 'My first video')
  assert.deepEqual(
    (await videos(keys.admin)).map(({ title }) => title),
    ['My first video'],
  )
})

test('Ctrl-C stops everything cleanly, also when it is pressed again and again', async () => {
  const postmaster = await postmasterPid(ground.env)
  assert.ok(isAlive(postmaster))

  for (let presses = 0; presses < 3; presses += 1) server.signalGroup('SIGINT')
  const { code, signal, stderr } = await server.ended

  assert.deepEqual({ code, signal, stderr }, { code: 0, signal: null, stderr: '' })
  assert.equal(isAlive(postmaster), false)
})

/** Returns the sign-in link of the first publisher, if the welcome has one. */
const signInLink = () => / {2}Sign in {6}(\S+#\S+) \(once, within a day\)/.exec(server.output().stdout)?.[1]

test('a later start keeps all data and makes no new credentials', async (context) => {
  token = signInLink()?.split('#')[1]
  const before = await readFile(join(ground.env.DATA_DIR, 'credentials.json'), 'utf8')
  server = await startServer(ground.env)
  context.diagnostic(`ready ${server.msToReady} ms after a later start`)

  assert.match(server.output().stdout, /^\nZoetrope is running\.\n/)
  assert.equal(await readFile(join(ground.env.DATA_DIR, 'credentials.json'), 'utf8'), before)
  const { keys } = await readCredentials(ground.env)
  assert.equal((await videos(keys.admin)).length, 1)
})

test('the first welcome has a link; once it is used, credentials.json has no password', async () => {
  assert.ok(token)
  assert.equal(signInLink(), undefined, 'the output of a service is kept as a log')
  const before = await readCredentials(ground.env)
  const own = { email: 'me@example.org', password: 'my very own password' }
  noteFields(own)
  const reply = await fetch(`${server.url}/dashboard/api/welcome`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, ...own }),
  })
  assert.equal(reply.status, 200)
  assert.deepEqual(await readCredentials(ground.env), { ...before, publisher: { email: own.email } })
})

test('Ctrl-C in the middle of a start ends what the start has begun', async () => {
  const { env, remove } = await makeGround()
  const early = launch(['start'], env)
  const postmaster = await until('PostgreSQL', () => postmasterPid(env).catch(() => undefined))
  early.signalGroup('SIGINT')
  const { code, stderr } = await early.ended

  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  assert.equal(isAlive(postmaster), false)
  await remove()
})

test('SIGTERM stops everything cleanly, and nothing of PostgreSQL stays behind', async () => {
  const postmaster = await postmasterPid(ground.env)
  const { code, signal } = await server.stop()

  assert.deepEqual({ code, signal }, { code: 0, signal: null })
  assert.equal(isAlive(postmaster), false)
  await assert.rejects(stat(join(ground.env.DATA_DIR, 'postgres', 'postmaster.pid')), { code: 'ENOENT' })
  await assert.rejects(stat(join(ground.env.DATA_DIR, 'zoetrope.lock')), { code: 'ENOENT' })
})

test('npm start prints the welcome, and SIGTERM to npm alone stops the server, its worker and PostgreSQL', async () => {
  // The state after `npm ci`, in which a start has nothing to build.
  await run(process.execPath, ['scripts/prepare.mjs'])
  // Settings of the person who runs the tests could make npm print more.
  const npm = { npm_config_userconfig: '/dev/null', npm_config_update_notifier: 'false' }
  const started = await startServer({ ...ground.env, ...npm, LOG_FORMAT: 'pretty' }, ['npm'])
  const [main] = await childrenOf(started.pid)
  assert.ok(main)
  const workers = await until('a worker', async () => {
    const found = await workersOf(main.pid)
    return found.length > 0 && found
  })
  const processes = [started.pid, main.pid, ...workers, await postmasterPid(ground.env)]
  assert.deepEqual(processes.map(isAlive), [true, true, true, true])

  started.signal('SIGTERM')
  const { code, signal, stdout, stderr } = await started.ended

  assert.deepEqual({ code, signal, stderr }, { code: 0, signal: null, stderr: '' })
  assert.deepEqual(processes.map(isAlive), [false, false, false, false])
  const [banner = '', welcome = ''] = stdout.split(/(?=\nZoetrope is running\.)/)
  assert.match(banner, /^\n> .*start\n> exec node .*scripts\/start\.mjs\n\n$/)
  assert.match(welcome, /Ctrl-C stops everything\.\n\n(\d.*(readyz|stopping|stopped).*\n)*$/)
})

test('on another port, credentials.json names the new address and the same keys', async () => {
  const before = await readCredentials(ground.env)
  server = await startServer({ ...ground.env, PORT: await freePort() })

  assert.deepEqual(await readCredentials(ground.env), { ...before, url: server.url })
  assert.notEqual(server.url, before.url)
  assert.equal((await stat(join(ground.env.DATA_DIR, 'credentials.json'))).mode & 0o777, 0o600)
  assert.equal(signInLink(), undefined)
})
