/** The operator's commands, on the database of a running server and without a server. */
import assert from 'node:assert/strict'
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { commands } from '../../packages/server/src/commands/index.js'
import { settings } from '../../packages/server/src/config/settings.js'
import { runHere } from '../support/command-line.js'
import { until } from '../support/patience.js'
import { call } from '../support/publishers.js'
import { note } from '../support/secrets.js'
import {
  makeGround,
  type RunningServer,
  readCredentials,
  runCommand,
  startServer,
} from '../support/server-process.js'

let ground: Awaited<ReturnType<typeof makeGround>>
let server: RunningServer
before(async () => {
  ground = await makeGround()
  server = await startServer({ ...ground.env, WORKERS: '0' })
})
after(async () => {
  await server.stop()
  await ground.remove()
})

const zoetrope = (...args: string[]) => runHere(args, ground.env)
/** The same in a process of its own, as operators run it. */
const program = (...args: string[]) => runCommand(args, ground.env)
const statusWith = async (key: string) =>
  (await fetch(`${server.url}/videos`, { headers: { 'x-api-key': key } })).status

test('--help lists every command and every setting', async () => {
  const { code, stdout, stderr } = await program('--help')
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  for (const { usage, about } of Object.values(commands))
    for (const said of [usage, about]) assert.ok(stdout.includes(said), said)
  for (const [name, { about }] of Object.entries(settings))
    assert.ok(stdout.includes(name) && stdout.includes(about), name)
})

test('--help of a command is about that command; misspelt options are named, and --json is one object a line', async () => {
  const help = await zoetrope('key', 'list', '--help')
  assert.match(help.stdout, /^Usage: zoetrope key list /)
  assert.ok(!help.stdout.includes('zoetrope channel'))
  const wrong = await zoetrope('key', 'list', '--chanel', 'x')
  assert.match(
    wrong.stderr,
    /^There is no option --chanel here \(did you mean --channel\?\)\.\nUsage: zoetrope key list/,
  )
  const command = await zoetrope('chanel', 'list', '--json')
  assert.match(command.stderr, /^There is no command "chanel list --json" \(did you mean channel list\?\)\./)
  assert.match((await zoetrope('storage', 'status', '--json')).stderr, /^There is no option --json here\./)
  const listed = await zoetrope('channel', 'list', '--json')
  assert.deepEqual(Object.keys(JSON.parse(listed.stdout.split('\n')[0] ?? '')), [
    '_id',
    'title',
    'videos',
    'created_at',
  ])
})

test('wrong arguments are rejected with the usage and exit code 1', async () => {
  const wrong = [
    ['stort'],
    ['start', '--port', '80'],
    ['migrate', 'now'],
    ['channel', 'create'],
    ['channel', 'create', '--titel'],
    ['channel', 'remove', '1'],
    ['channel', 'remove', 'f'.repeat(24), '--yess'],
    ['channel', 'limit', 'f'.repeat(24), '--gb', '5'],
    ['channel', 'limit', 'f'.repeat(24), 'much'],
    ['key', 'rotate', 'root'],
    ['key', 'list', '--nonsense'],
    ['storage', 'sweep', '--nonsense'],
    ['storage', 'adopt', 'everything'],
    ['storage', 'move'],
    ['storage', 'move', '--to', 's3', '--rate', 'fast'],
  ]
  const outcomes = await Promise.all([
    ...wrong.map((args) => zoetrope(...args)),
    ...wrong.slice(-1).map((args) => program(...args)),
  ])
  for (const { code, stdout, stderr } of outcomes) {
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    assert.match(stderr, /Usage: |--help/)
    assert.doesNotMatch(stderr, /\n {4}at /)
  }
})

let made: {
  channel: { _id: string; title: string }
  keys: { admin: string; read_only: string; player: string }
}

test('beside a running server, a channel is made with keys that work at once, and listed', async () => {
  const { code, stdout } = await program('channel', 'create', 'Second channel')
  assert.equal(code, 0)
  made = JSON.parse(stdout)
  assert.equal(made.channel.title, 'Second channel')
  assert.deepEqual(
    [
      await statusWith(made.keys.admin),
      await statusWith(made.keys.read_only),
      await statusWith(made.keys.player),
    ],
    [200, 200, 403],
  )

  const { stdout: listed } = await zoetrope('channel', 'list')
  const { channel } = await readCredentials(ground.env)
  assert.deepEqual(
    listed
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(0, 24)),
    [channel._id, made.channel._id],
  )
})

test('beside a running server, a channel gets a limit, and loses it again', async () => {
  const limits = []
  for (const size of ['0.5', '20', 'none', 'default']) {
    const { code, stderr } = await zoetrope('channel', 'limit', made.channel._id, size)
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    const reply = await fetch(`${server.url}/account`, { headers: { 'x-api-key': made.keys.admin } })
    limits.push(((await reply.json()) as { response: object }).response)
  }
  assert.deepEqual(
    limits.map((account) => (account as { storage_limit_bytes: number | null }).storage_limit_bytes),
    [500_000_000, 20_000_000_000, null, null],
  )
  const unknown = await zoetrope('channel', 'limit', 'f'.repeat(24), '5')
  assert.deepEqual([unknown.code, /no channel with the id/.test(unknown.stderr)], [1, true])
})

test('beside a running server, a key is replaced: both work for the overlap, or the new one alone', async () => {
  const rotate = async (...more: string[]) =>
    (await zoetrope('key', 'rotate', 'admin', '--channel', made.channel._id, ...more)).stdout.trim()
  const second = await rotate()
  assert.deepEqual([await statusWith(made.keys.admin), await statusWith(second)], [200, 200])

  const third = await rotate('--overlap', '0')
  await new Promise((resolve) => setTimeout(resolve, 1000))
  assert.deepEqual(
    [await statusWith(made.keys.admin), await statusWith(second), await statusWith(third)],
    [401, 401, 200],
  )
  const { stdout } = await zoetrope('key', 'list', '--channel', made.channel._id)
  assert.deepEqual(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/\s+/).slice(0, 2)),
    [
      ['admin', third],
      ['player', made.keys.player],
      ['read_only', made.keys.read_only],
    ],
  )
})

test('named keys are listed with what they may do and their last use, never with the key', async () => {
  const admin = { 'x-api-key': (await readCredentials(ground.env)).keys.admin ?? '' }
  const create = async (body: object) => {
    const reply = await fetch(`${server.url}/keys`, {
      method: 'POST',
      headers: { ...admin, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { response } = (await reply.json()) as { response: { key: string } }
    note(response.key)
    return response.key
  }
  const never = await create({
    name: 'Backup',
    scopes: ['*:read'],
    allowed_networks: ['10.0.0.0/8'],
  })
  const used = await create({
    name: 'Upload script',
    scopes: ['uploads:write', 'videos:read'],
    expires_at: '2099-01-01T00:00:00Z',
  })
  assert.equal(await statusWith(used), 200)
  const { channel } = await readCredentials(ground.env)
  const lines = await until('the use of the key', async () => {
    const { stdout } = await zoetrope('key', 'list', '--channel', channel._id)
    return stdout.includes('last used') && stdout.split('\n').filter((line) => line.startsWith('named'))
  })
  assert.equal(lines.length, 2)
  assert.ok(lines[0]?.endsWith(`zk_named_…${never.slice(-4)}  "Backup"  *:read  never used  from 10.0.0.0/8`))
  assert.match(
    lines[1] ?? '',
    /"Upload script" {2}uploads:write videos:read {2}expires 2099-01-01T00:00:00.000Z {2}last used \d{4}-/,
  )
  for (const key of [never, used]) assert.ok(!lines.join('').includes(key))
})

test('when a key of the first channel is replaced, credentials.json has the new one', async () => {
  const before = await readCredentials(ground.env)
  const { stdout } = await zoetrope('key', 'rotate', 'player', '--channel', before.channel._id)

  assert.deepEqual(await readCredentials(ground.env), {
    ...before,
    keys: { ...before.keys, player: stdout.trim() },
  })
})

test('the publisher of credentials.json signs in, and with a new password only once the operator has made one', async () => {
  const { email, password } = (await readCredentials(ground.env)).publisher
  const signIn = async (typed: string) =>
    (await call(server.url, 'POST', 'session', { body: { email, password: typed } })).status
  assert.equal(await signIn(password), 200)

  const { code, stdout } = await zoetrope('password', email.toUpperCase())

  note(stdout.trim())
  assert.equal(code, 0)
  assert.deepEqual([await signIn(password), await signIn(stdout.trim())], [401, 200])
  assert.equal((await zoetrope('password', 'nobody@example.com')).code, 1)
})

test('with several channels a command asks which one', async () => {
  const { code, stderr } = await zoetrope('key', 'list')
  assert.equal(code, 1)
  assert.match(stderr, /several channels: add --channel/)
})

test('without a server, the same commands work on its folder and leave nothing running', async () => {
  await server.stop()

  assert.match((await program('channel', 'remove', made.channel._id)).stderr, /Add --yes/)
  const removed = await program('channel', 'remove', made.channel._id, '--yes')
  assert.deepEqual({ code: removed.code, stderr: removed.stderr }, { code: 0, stderr: '' })
  const again = await program('channel', 'remove', made.channel._id, '--yes')
  assert.equal(again.code, 1)

  const { stdout } = await program('key', 'list')
  const { keys } = await readCredentials(ground.env)
  for (const key of Object.values(keys)) assert.ok(stdout.includes(key))

  server = await startServer({ ...ground.env, WORKERS: '0' })
  assert.deepEqual([await statusWith(keys.admin), await statusWith(made.keys.read_only)], [200, 401])
})

test('a sweep of the media storage is shown first, and sets films aside when it is confirmed', async () => {
  const objects = join(ground.env.DATA_DIR, 'media/objects')
  const film = join('sources', 'a'.repeat(24), 'source')
  await mkdir(dirname(join(objects, film)), { recursive: true })
  await writeFile(join(objects, film), 'a film')

  const shown = await zoetrope('storage', 'sweep')
  assert.equal(shown.code, 0, shown.stderr)
  assert.match(
    shown.stdout,
    /^1 films are in the media storage\.\n1 of them, and 0 images, belong to no video/,
  )
  assert.ok(shown.stdout.includes(join(objects, film)))
  assert.match(shown.stdout, /So much is not set aside unasked: add --confirm if it is to be\.\n$/)
  assert.equal(await readFile(join(objects, film), 'utf8'), 'a film')

  const early = await zoetrope('storage', 'sweep', '--confirm')
  assert.match(early.stdout, /^Set aside 0 films/, 'an upload that is under way may need it')
  const long = new Date(Date.now() - 7 * 3_600_000)
  await utimes(join(objects, film), long, long)
  const done = await zoetrope('storage', 'sweep', '--confirm')
  assert.match(done.stdout, /^Set aside 1 films and images; brought back 0 files, deleted 0 old ones\.\n$/)
  await assert.rejects(readFile(join(objects, film)), { code: 'ENOENT' })
  assert.match(
    (await zoetrope('storage', 'restore')).stdout,
    /^Brought back 0 files of films and images\.\n$/,
  )
  assert.match((await zoetrope('storage', 'sweep')).stdout, /\n1 films are set aside\./)
})

test('the storage is shown and verified, and nothing moves without another place', async () => {
  const status = await zoetrope('storage', 'status')
  assert.equal(status.code, 0, status.stderr)
  assert.match(
    status.stdout,
    /^Place: disk\. 0 films, \d+ files?, .*\nFree space: .*\nUnfinished uploads: 0\.\n/,
  )
  assert.match(status.stdout, /\nThe storage belongs to this database\.\n$/)
  const verified = await zoetrope('storage', 'verify', '--deep')
  assert.equal(verified.code, 0, verified.stderr)
  assert.match(verified.stdout, /^Checked \d+ films?, .*\nAll are there and unchanged\.\n$/)
  const moved = await zoetrope('storage', 'move', '--to', 'disk')
  assert.equal(moved.stdout, 'There is nothing to move: all films are in disk.\n')
  assert.match((await zoetrope('storage', 'move', '--to', 's3')).stderr, /^STORAGE_URL is not set/)
})
