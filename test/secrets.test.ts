/** The log search finds secrets. Without this proof, an empty result would mean nothing. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import { createSealer } from '../packages/server/src/lib/sealing.js'
import { searchLogs } from './support/secret-search.js'
import {
  noteFields,
  noteInstallation,
  noteKeys,
  noteOnlyMadePasswords,
  notingPasswords,
  notingSealer,
} from './support/secrets.js'

const clean = [
  '{"level":30,"method":"GET","path":"/videos","status":200,"caller":"admin","msg":"request"}',
  '',
  'Zoetrope is running. Welcome!',
  `{"level":30,"method":"GET","path":"/videos/${'a'.repeat(1000)}","msg":"request"}`,
  '{"level":30,"site_id":"65f2a1b3c4d5e6f7a8b9c0d1","path":"/consumers/%20/x","msg":"request"}',
]

async function search(secrets: readonly string[], lines: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-search-'))
  await appendFile(join(folder, '1.secrets'), secrets.map((secret) => `${JSON.stringify(secret)}\n`).join(''))
  await appendFile(join(folder, '1-a.log'), lines.join('\n'))
  const result = searchLogs(folder)
  await rm(folder, { recursive: true })
  return result
}

/** Returns the numbers of the lines that contain a secret. */
const linesFound = async (secrets: readonly string[], lines: readonly string[]) =>
  (await search(secrets, lines)).findings.map(({ line }) => line)

const password = 'Käse & "Brot" 100%/\\?'
const pin = 'k7mwx3p'
const token = randomBytes(32).toString('base64url')
const others = Array.from({ length: 3000 }, () => randomBytes(20).toString('hex'))
const all = [password, ...others, pin, token]

test('a clean log has nothing in it', async () => {
  assert.deepEqual(await search(all, clean), { secrets: all.length, lines: clean.length, findings: [] })
})

test('a secret is found at any place in a line', async () => {
  for (const secret of [password, pin, token, others[1234] ?? ''])
    for (const line of [
      secret,
      `before${secret}`,
      `${secret}_after`,
      `x=${secret}&y`,
      `a ${secret} b ${secret}`,
    ])
      assert.deepEqual(await linesFound(all, [...clean, line, ...clean]), [clean.length + 1], line)
})

test('a secret is found on the first line and on an unterminated last line', async () => {
  assert.deepEqual(await linesFound([token], [token, ...clean, token]), [1, clean.length + 2])
})

test('a secret is found percent-encoded, in a form, in JSON and in JSON within JSON', async () => {
  const disguises = [
    encodeURIComponent(password),
    encodeURIComponent(password).toLowerCase(),
    new URLSearchParams({ password }).toString(),
    new URL(`http://x/?p=${encodeURIComponent(password)}`).href,
    JSON.stringify({ password }),
    JSON.stringify({ msg: `cannot read ${JSON.stringify({ password })}` }),
  ]
  for (const line of disguises) assert.deepEqual(await linesFound([password], [...clean, line]), [6], line)
})

test('a secret is found in a Basic header with any user name', async () => {
  for (const name of ['', 'a', 'ab', 'abc', 'abcd'])
    for (const kind of ['base64', 'base64url'] as const) {
      const line = `authorization: Basic ${Buffer.from(`${name}:${token}`).toString(kind)}`
      assert.deepEqual(await linesFound([token], [...clean, line]), [6], line)
    }
})

test('a PIN is found as people write it', async () => {
  for (const line of ['K7MWX3P', 'pin k7m-wx3p', 'K7MW X3P', '/pin/k7mwx3p/status'])
    assert.deepEqual(await linesFound([pin], [...clean, line]), [6], line)
})

test('text that looks like a secret is found even if it was not registered', async () => {
  const hex = randomBytes(32).toString('hex')
  const shaped = [
    ...['zk_admin', 'zk_read_only', 'zk_player', 'zk_app', 'zs_client'].map(
      (kind) => `${kind}_${hex.slice(24)}`,
    ),
    hex,
    `\\x${hex}`,
    '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
  ]
  for (const line of shaped) assert.deepEqual(await linesFound([], [...clean, `key ${line}`]), [6], line)
})

test('a report names the file and the line and shows no secret', async () => {
  const line = `{"api_key":"${others[0]}","password":${JSON.stringify(password)}}`
  const { findings } = await search(all, [...clean, line])
  assert.deepEqual(
    findings.map(({ file, line }) => ({ file, line })),
    [{ file: '1-a.log', line: 6 }],
  )
  assert.match(findings[0]?.text ?? '', /^\{"api_key":"\*{40}","password":"\*+"\}$/)
})

test('a server that logs its requests with their headers and queries is found out', async () => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line.trimEnd()) })
  log.info({ url: `/videos?access_token=${token}` }, 'request')
  log.info({ headers: { authorization: `Bearer ${token}` } }, 'request')
  log.error(new Error(`The password ${password} is wrong.`))
  log.info({ url: '/videos' }, 'request')
  assert.deepEqual(await linesFound(all, lines), [1, 2, 3])
})

test('secrets of the sealer, passwords, responses and commands are registered', async () => {
  const made = (name: string) => `${name}-${randomBytes(9).toString('hex')}`
  const sealer = notingSealer(createSealer('one key of at least thirty-two characters'))
  const passwords = notingPasswords({
    hash: async (given) => `#${given}`,
    verify: async () => false,
    inTurn: (_name, work) => work(),
    close: async () => {},
  })
  const key = `zk_player_${randomBytes(20).toString('hex')}`
  const [digested, pinned, sealed, hashed, verified, answered, set, database] = [
    made('digest'),
    'abc2345',
    ...['seal', 'hash', 'verify', 'token', 'secret-key', 'database'].map(made),
  ] as [string, string, string, string, string, string, string, string]
  const secrets = [digested, pinned, sealed, hashed, verified, answered, set, database]

  sealer.digest(digested)
  sealer.digest(`pin ${pinned}`)
  for (const plain of [`attempts ${made('name')}`, 'a'.repeat(64), 'valueOf', '65f2a1b3c4d5e6f7a8b9c0d1'])
    sealer.digest(plain)
  const derived = sealer.derive('refresh token', digested)
  assert.equal(sealer.unseal(sealer.seal(sealed)), sealed)
  assert.equal(await passwords.hash(hashed), `#${hashed}`)
  assert.equal(await passwords.verify(undefined, verified), false)
  noteFields({ response: [{ _id: made('id'), access_token: answered, code: 'not_found' }] })
  noteInstallation({ SECRET_KEY: set, DATABASE_URL: `postgres://someone:${database}@127.0.0.1/x` })
  noteKeys(`player     ${key}  (replaced)\n`)

  noteOnlyMadePasswords()
  await passwords.hash('hasOwnProperty')

  const folder = process.env.TEST_LOGS ?? ''
  const noted = (await readFile(join(folder, `${process.pid}.secrets`), 'utf8')).trimEnd().split('\n')
  assert.deepEqual(
    noted.map((line) => JSON.parse(line) as string).toSorted(),
    [...secrets, derived, key].toSorted(),
  )
})
