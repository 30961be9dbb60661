import { randomBytes } from 'node:crypto'
import type { Role } from '@zoetrope/contract'
import { hashPassword } from '../../packages/server/src/auth/passwords.js'
import { firstSignInLink } from '../../packages/server/src/auth/sign-in-links.js'
import { newId } from '../../packages/server/src/lib/object-id.js'
import type { TestApi, TestChannel } from './api.js'
import { littleCost } from './password-cost.js'
import { note } from './secrets.js'

export const password = 'a password for the dashboard'
note(password)
let hash: Promise<string> | undefined

export interface TestPublisher {
  readonly _id: string
  readonly email: string
}

/** Creates a publisher with a password and with roles in channels. */
export async function addPublisher(
  { database: { db } }: Pick<TestApi, 'database'>,
  ...memberships: readonly (readonly [TestChannel, Role])[]
): Promise<TestPublisher> {
  hash ??= hashPassword(password, littleCost)
  const publisher = { _id: newId(), email: `${randomBytes(5).toString('hex')}@example.com` }
  await db`insert into publishers ${db({ ...publisher, password_hash: await hash })}`
  for (const [{ channel }, role] of memberships)
    await db`insert into memberships ${db({ publisher_id: publisher._id, site_id: channel._id, role })}`
  return publisher
}

/** Returns the sign-in link that a new server shows its first publisher; undefined once they have signed in. */
export async function welcomeLink(
  { database: { db }, parts, url }: Pick<TestApi, 'database' | 'parts' | 'url'>,
  { _id }: Pick<TestPublisher, '_id'>,
): Promise<string | undefined> {
  await db`
    insert into installation (name, value) values ('first_publisher', ${_id})
    on conflict (name) do update set value = excluded.value
  `
  const link = await firstSignInLink(db, parts.sealer, url)
  note(link?.split('#')[1] ?? '')
  return link
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look at many shapes
  readonly body: any
}

/** Sends a request to the dashboard's own API. */
export async function call(
  url: string,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<Reply> {
  const reply = await fetch(`${url}/dashboard/api/${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  return { status: reply.status, headers: reply.headers, body: text === '' ? undefined : JSON.parse(text) }
}

/** Returns the cookie that a response sets, as a browser sends it back. */
export function cookieIn({ headers }: Pick<Reply, 'headers'>): string {
  const cookie = headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  note(cookie.split('=')[1] ?? '')
  return cookie
}

export interface Browser {
  readonly cookie: string
  readonly csrf: string
  /** The headers that the dashboard sends. */
  headers(channel?: TestChannel): Record<string, string>
  call(method: string, path: string, body?: unknown, channel?: TestChannel): Promise<Reply>
}

/** Signs in as a browser does. */
export async function signInAs(
  { url }: Pick<TestApi, 'url'>,
  { email }: Pick<TestPublisher, 'email'>,
  fields: object = {},
): Promise<Browser> {
  const reply = await call(url, 'POST', 'session', { body: { email, password, ...fields } })
  if (reply.status !== 200) throw new Error(`Signing in gave ${reply.status}: ${reply.body?.message}`)
  const cookie = cookieIn(reply)
  const csrf: string = reply.body.csrf_token
  note(csrf)
  const headers = (channel?: TestChannel): Record<string, string> => ({
    cookie,
    'x-csrf-token': csrf,
    ...(channel ? { 'x-channel-id': channel.channel._id } : {}),
  })
  return {
    cookie,
    csrf,
    headers,
    call: (method, path, body, channel) => call(url, method, path, { headers: headers(channel), body }),
  }
}
