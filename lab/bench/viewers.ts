/**
 * Measures sign-ins against bare argon2, lists with an access token against lists with a key, and the effect of a storm
 * of sign-ins on lists. Writes bench/results/viewers.md.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { createClient, signIn } from '@zoetrope/sdk'
import { hashPassword } from '../../packages/server/src/auth/passwords.js'
import { freePort, type Running, startProgram, startZoetrope } from '../processes.js'
import { madeOn, markdown, openReport, say } from '../report.js'
import { anew, throughput, warmUp } from './measure.js'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '8' } } })
const seconds = Number(values.seconds)
const rounds = 3
const warmSeconds = 40
const viewers = 40
const password = 'a password of the bench'
const { lines, add } = openReport()
const median = (numbers: readonly number[]) =>
  [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN

interface Credentials {
  readonly keys: { readonly admin: string; readonly read_only: string }
  readonly app: { readonly client_id: string; readonly client_secret: string }
}

/** Returns the verifications per second of all cores when they do nothing else. */
async function bareArgon2(): Promise<number> {
  const stored = await hashPassword(password)
  const task = JSON.stringify({ hash: stored, password, ms: seconds * 1000 })
  const { stdout } = await promisify(execFile)('node', ['lab/bench/servers/argon2.mjs', task])
  return Number(stdout)
}

const signInRequest = ({ app }: Credentials) => {
  let count = 0
  return () => {
    count += 1
    const form = {
      grant_type: 'password',
      client_id: app.client_id,
      client_secret: app.client_secret,
      username: `viewer-${count % viewers}@example.com`,
      password,
    }
    return { body: new URLSearchParams(form).toString() }
  }
}

const grants = (server: Running, credentials: Credentials, connections: number, duration: number) =>
  throughput({
    url: `${server.url}/oauth/token`,
    seconds: duration,
    connections,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    next: signInRequest(credentials),
  })

async function benchGrants(server: Running, bareServer: Running, credentials: Credentials): Promise<void> {
  const rates = { argon2: [] as number[], bare: [] as number[], ours: [] as number[] }
  // Only thousands of sign-ins have the server compile all of its code.
  for (const each of [bareServer, server]) await grants(each, credentials, 8, warmSeconds)
  for (let round = 0; round < rounds; round += 1) {
    rates.argon2.push(await bareArgon2())
    rates.bare.push(await grants(bareServer, credentials, 8, seconds))
    rates.ours.push(await grants(server, credentials, 8, seconds))
  }
  const to = (yardstick: readonly number[], measured: readonly number[]) =>
    median(measured.map((each, round) => each / (yardstick[round] ?? Number.NaN)))
  const group = 'Sign-ins per second'
  const unit = '/s'
  add({ group, name: 'bare argon2id on every core', value: median(rates.argon2), unit, ratio: 1 })
  add({
    group,
    name: 'bare HTTP server that only compares a password',
    value: median(rates.bare),
    unit,
    ratio: to(rates.argon2, rates.bare),
  })
  add({
    group,
    name: 'password grants, 8 at once',
    value: median(rates.ours),
    unit,
    ratio: to(rates.argon2, rates.ours),
  })
  add({
    group,
    name: 'the same, to the bare HTTP server',
    value: median(rates.ours),
    unit,
    ratio: to(rates.bare, rates.ours),
    target: '≥ 0.9',
  })
}

async function benchLists(server: Running, { keys }: Credentials, token: string): Promise<void> {
  const ways = {
    'from memory': '/videos?',
    'read each time': '/videos?per_page=10&',
  }
  for (const [name, path] of Object.entries(ways)) {
    const group = `A list of 10, ${name}`
    const next = name === 'from memory' ? undefined : pages(path)
    const loadWith = (credential: string) => ({
      url: `${server.url}${path}${credential}`,
      ...(next ? { next: () => ({ path: `${next()}&${credential}` }) } : {}),
    })
    const measured = { key: [] as number[], token: [] as number[] }
    const loads = {
      key: loadWith(`api_key=${keys.read_only}`),
      token: loadWith(`access_token=${token}`),
    }
    await warmUp(loads.key)
    for (let round = 0; round < rounds; round += 1)
      for (const way of ['key', 'token'] as const)
        measured[way].push(await throughput({ ...loads[way], seconds }))
    add({ group, name: 'with an API key', value: median(measured.key), unit: '/s', ratio: 1 })
    add({
      group,
      name: 'with an access token',
      value: median(measured.token),
      unit: '/s',
      ratio: median(measured.token.map((each, round) => each / (measured.key[round] ?? 1))),
      target: '≥ 0.9',
    })
  }
}

const pages = (path: string) => () => `${path}page=${Math.floor(Math.random() * 190)}&${anew()}`

/**
 * Returns the 99th percentile of list latencies in milliseconds. Requests are sent at a steady rate, without waiting
 * for responses.
 */
async function slowest(server: Running, key: string, duration: number): Promise<number> {
  const nextPage = pages('/videos?')
  const answers: Promise<number>[] = []
  for (let sent = 0; sent < (duration * 1000) / everyMs; sent += 1) {
    answers.push(timed(`${server.url}${nextPage()}&api_key=${key}`))
    await delay(everyMs)
  }
  const taken = (await Promise.all(answers)).slice(20).sort((a, b) => a - b)
  return taken[Math.floor(taken.length * 0.99)] ?? Number.NaN
}

const everyMs = 5

async function timed(url: string): Promise<number> {
  const begun = performance.now()
  const reply = await fetch(url)
  await reply.arrayBuffer()
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}`)
  return performance.now() - begun
}

async function benchStorm(server: Running, credentials: Credentials): Promise<void> {
  const idle: number[] = []
  const stormy: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    idle.push(await slowest(server, credentials.keys.read_only, seconds))
    const storm = grants(server, credentials, 32, seconds + 3)
    await delay(1500)
    stormy.push(await slowest(server, credentials.keys.read_only, seconds))
    await storm
  }
  const group = 'Lists read each time, one every 5 ms, p99'
  add({ group, name: 'idle', value: median(idle), unit: 'ms', ratio: 1 })
  add({
    group,
    name: 'while 32 sign in all the time',
    value: median(stormy),
    unit: 'ms',
    ratio: median(stormy) / median(idle),
    target: '≤ 3',
  })
}

const folder = await mkdtemp(join(tmpdir(), 'zoetrope-bench-'))
const server = await startZoetrope(folder)
const port = await freePort()
const bareServer = await startProgram(
  ['lab/bench/servers/argon2-server.mjs', String(port)],
  port,
  '/',
  join(folder, 'bare.log'),
)
try {
  const credentials = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as Credentials
  const client = createClient({ url: server.url, apiKey: credentials.keys.admin })
  say('making videos and viewers…')
  for (let index = 0; index < 2000; index += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, each) =>
        client.videos.create({
          title: `Video ${index + each}`,
          description: 'A film about a horse. '.repeat(10),
        }),
      ),
    )
  for (let index = 0; index < viewers; index += 1)
    await client.consumers.create({ email: `viewer-${index}@example.com`, password })
  const { access_token } = await signIn({
    url: server.url,
    clientId: credentials.app.client_id,
    clientSecret: credentials.app.client_secret,
    username: 'viewer-0@example.com',
    password,
  })
  await benchGrants(server, bareServer, credentials)
  await benchLists(server, credentials, access_token)
  await benchStorm(server, credentials)
} finally {
  await server.stop()
  await bareServer.stop()
  await rm(folder, { recursive: true, force: true })
}
const facts = [
  madeOn(),
  'server, PostgreSQL, load and yardstick share the machine; medians of three turns, taken in alternation',
  `\`npm run lab -- bench-viewers --seconds ${seconds}\``,
]
await writeFile(resolve('bench/results/viewers.md'), markdown(lines, facts))
say('written to bench/results/viewers.md')
