import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createClient, signIn } from '@zoetrope/sdk'
import type { Connection } from '../../../packages/server/src/db/embedded/connection.js'
import { cpuSecondsOf, freePort, type Running, startProgram } from '../../processes.js'
import type { Line } from '../../report.js'

const viewers = 16
const turns = 3
const password = randomBytes(12).toString('hex')

interface TokenPlace {
  readonly name: string
  readonly server: Running
  readonly path: string
  readonly client: { readonly client_id: string; readonly client_secret: string }
  /** The newest refresh token of every viewer. */
  readonly tokens: string[]
}

export interface OwnTokens {
  readonly server: Running
  readonly keys: { readonly admin: string }
  readonly app: { readonly client_id: string; readonly client_secret: string }
}

async function ours({ server, keys, app }: OwnTokens): Promise<TokenPlace> {
  const client = createClient({ url: server.url, apiKey: keys.admin })
  const tokens: string[] = []
  for (let index = 0; index < viewers; index += 1) {
    const username = `viewer-${index}-${process.pid}@example.com`
    await client.consumers.create({ email: username, password })
    const { client_id: clientId, client_secret: clientSecret } = app
    tokens.push((await signIn({ url: server.url, clientId, clientSecret, username, password })).refresh_token)
  }
  return { name: 'Zoetrope', server, path: '/oauth/token', client: app, tokens }
}

async function theirs(folder: string, connection: Connection): Promise<TokenPlace> {
  const port = await freePort()
  const client = { client_id: 'bench', client_secret: randomBytes(24).toString('hex') }
  const program = ['--import', './scripts/typescript.mjs', 'lab/bench/servers/oidc-provider.ts']
  const args = [...program, String(port), JSON.stringify(connection), client.client_secret, String(viewers)]
  const settings = { NODE_ENV: 'production' }
  const server = await startProgram(args, port, '/tokens', join(folder, 'oidc-provider.log'), settings)
  const tokens = (await (await fetch(`${server.url}/tokens`)).json()) as string[]
  return { name: 'oidc-provider, stored in PostgreSQL', server, path: '/token', client, tokens }
}

async function refresh({ server, path, client, name }: TokenPlace, token: string): Promise<string> {
  const form = { grant_type: 'refresh_token', refresh_token: token, ...client }
  const reply = await fetch(server.url + path, { method: 'POST', body: new URLSearchParams(form) })
  const body = (await reply.json()) as { refresh_token?: string }
  if (!reply.ok || !body.refresh_token) throw new Error(`${name}: ${reply.status} ${JSON.stringify(body)}`)
  return body.refresh_token
}

/** Every viewer renews their token again and again. Returns the renewals per second. */
async function renewals(place: TokenPlace, seconds: number): Promise<number> {
  const begun = performance.now()
  let done = 0
  await Promise.all(
    place.tokens.map(async (_, index) => {
      while (performance.now() - begun < seconds * 1000) {
        place.tokens[index] = await refresh(place, place.tokens[index] ?? '')
        done += 1
      }
    }),
  )
  return (done * 1000) / (performance.now() - begun)
}

/** Renews tokens of 16 viewers at once, with ours and with oidc-provider in a database of its own, taking turns. */
export async function benchTokens(
  folder: string,
  own: OwnTokens,
  connection: Connection,
  seconds: number,
  add: (line: Line) => void,
): Promise<void> {
  const places = [await ours(own), await theirs(folder, connection)]
  try {
    const rates = places.map((): number[] => [])
    const cpu = places.map(({ server }) => -cpuSecondsOf(server.pid))
    for (let turn = 0; turn < turns; turn += 1)
      for (const [index, place] of places.entries()) rates[index]?.push(await renewals(place, seconds))
    const sumOf = (values: readonly number[] = []) => values.reduce((sum, each) => sum + each, 0)
    for (const [index, { name, server }] of places.entries()) {
      const spent = (cpu[index] ?? 0) + cpuSecondsOf(server.pid)
      const each = ((spent * 1000) / (sumOf(rates[index]) * seconds)).toFixed(2)
      const value = sumOf(rates[index]) / turns
      const ratio = sumOf(rates[index]) / sumOf(rates[0])
      add({
        group: 'Renew an access token',
        name: `${name} (${each} ms of processor)`,
        value,
        unit: '/s',
        ratio,
      })
    }
  } finally {
    await places[1]?.server.stop()
  }
}
