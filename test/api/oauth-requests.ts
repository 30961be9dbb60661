import type { TestApi, TestConsumer } from '../support/api.js'
import { fromXml } from '../support/xml-fetch.js'

/** The body of a token endpoint's response. */
export interface TokenBody {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
  readonly created_at: number
  readonly error: string
  readonly error_description: string
  readonly message: string
  readonly active: boolean
  readonly device_code: string
  readonly user_code: string
}

export interface TokenReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: TokenBody
}

type Parameters = Readonly<Record<string, string>>
export const ways = ['form', 'JSON', 'query'] as const
export type Way = (typeof ways)[number]

interface Options {
  readonly way?: Way
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request to a token endpoint, and parses the response by its content type. */
export async function send(address: string, init: RequestInit = {}): Promise<TokenReply> {
  const reply = await fetch(address, init)
  const text = await reply.text()
  const isXml = /xml/.test(reply.headers.get('content-type') ?? '')
  const body = (text === '' ? {} : isXml ? fromXml(text) : JSON.parse(text)) as TokenBody
  return { status: reply.status, headers: reply.headers, text, body }
}

/** Posts parameters to a token endpoint as a form, as a query or as JSON. */
export function post(
  address: string,
  parameters: Parameters,
  { way = 'form', headers = {} }: Options = {},
): Promise<TokenReply> {
  const form = new URLSearchParams(parameters)
  if (way === 'query') return send(`${address}?${form}`, { method: 'POST', headers })
  if (way === 'form') return send(address, { method: 'POST', headers, body: form })
  return send(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(parameters),
  })
}

export const info = (url: string, access_token: string) =>
  send(`${url}/oauth/token/info?access_token=${access_token}`)

type App = { readonly client_id: string; readonly client_secret: string }

export const clientOf = ({ client_id, client_secret }: App) => ({ client_id, client_secret })

export const passwordOf = ({ email, password }: Pick<TestConsumer, 'email' | 'password'>) => ({
  grant_type: 'password',
  username: email,
  password,
})

export const refreshOf = (refresh_token: string) => ({ grant_type: 'refresh_token', refresh_token })

export const basicOf = ({ client_id, client_secret }: App) => ({
  authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
})

/** Requests of one app, each with its client id and secret. */
export const appAt = (url: string, app: App) => ({
  token: (parameters: Parameters, options?: Options) =>
    post(`${url}/oauth/token`, { ...clientOf(app), ...parameters }, options),
  revoke: (token: string) => post(`${url}/oauth/revoke`, { ...clientOf(app), token }),
  introspect: (token: string) => post(`${url}/oauth/introspect`, { ...clientOf(app), token }),
})

let devices = 0

/** Acquires a PIN for a new TV and links it to the consumer. */
export async function linkDevice(
  { channel }: Pick<TestApi, 'channel'>,
  consumer_id: string,
): Promise<{ readonly linked_device_id: string; readonly pin: string }> {
  devices += 1
  const linked_device_id = `living-room-${process.pid}-${devices}`
  const { pin: device } = channel.as('app')
  const { pin } = await device.acquire({ linked_device_id })
  if (!pin) throw new Error('The device has no PIN')
  await device.link({ consumer_id, pin })
  return { linked_device_id, pin }
}

/** Returns the status of a request for the list of videos. */
export const reads = async (url: string, access_token: string): Promise<number> =>
  (await fetch(`${url}/videos?access_token=${access_token}`)).status
