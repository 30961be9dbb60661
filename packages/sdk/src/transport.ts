import { newestVersion } from '@zoetrope/contract'
import { type Answer, type Expected, readAnswer } from './answer.js'
import { within } from './deadline.js'
import type { Connection, RenewSession } from './options.js'
import { encodeQuery } from './query.js'
import { repeating } from './retry.js'
import { ZoetropeError } from './zoetrope-error.js'

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>>
  /** Sent as a form where it is one, with or without files, as JSON otherwise. */
  readonly body?: unknown
  readonly expects?: Expected
  /** The server does requests with the same key once, so even a write can be repeated. */
  readonly idempotencyKey?: string
  /** Called with the ids of the events of the written record. */
  readonly onEvents?: OnEvents | undefined
  readonly ifMatch?: string | undefined
  /** Called with the ETag of the response. */
  readonly onEtag?: ((etag: string) => void) | undefined
  readonly signal?: AbortSignal
}

/** Takes the ids of the events that a write has caused, the newest first. */
export type OnEvents = (ids: readonly string[]) => void

export type Send = (request: Request) => Promise<Answer | undefined>

type Headers = Readonly<Record<string, string>>

export function createTransport(
  connection: Connection,
  credential: Headers = {},
  renew?: RenewSession | undefined,
): Send {
  const send = createSender(connection)
  return (request) =>
    send(request, credential).catch(async (error: unknown) => {
      if (!renew || !isOver(error)) throw error
      return send(request, { ...credential, 'x-csrf-token': await renew(error, request.method) })
    })
}

/** Whether the session has ended, another one has taken its place, or its owner has to confirm who they are. */
const isOver = (error: unknown): error is ZoetropeError =>
  error instanceof ZoetropeError &&
  (error.status === 401 || error.code === 'csrf_token' || error.code === 'confirm_required')

/** The version of the API that this SDK was made for, and whether requests that are not understood are refused. */
export const protocolHeaders = ({ strict = true }: Connection): Headers => ({
  'zoetrope-version': newestVersion,
  ...(strict ? { 'zoetrope-strict': '1' } : {}),
})

function createSender(connection: Connection) {
  const { url, fetch = globalThis.fetch, retries = 2, timeoutMs = 30_000 } = connection
  const base = url.replace(/\/+$/, '')

  return async (
    { method, path, query, body, expects, idempotencyKey, ifMatch, onEvents, onEtag, signal }: Request,
    credential: Headers,
  ): Promise<Answer | undefined> => {
    const asked = `${method} ${base}${path}`
    const address = base + path + encodeQuery(query)
    const content = contentOf(body)
    const init: RequestInit = {
      method,
      headers: {
        accept: 'application/json',
        ...protocolHeaders(connection),
        ...credential,
        ...content.headers,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      body: content.body,
      // Followed, a redirect would take the key to another host and turn a POST into a GET.
      redirect: 'manual',
    }
    const isRepeatable = method === 'GET' || idempotencyKey !== undefined
    return repeating({ isRepeatable, retries, signal }, () =>
      within(timeoutMs, signal, async (deadline) => {
        const reply = await fetch(address, { ...init, signal: deadline })
        const answer = await readAnswer(reply, asked, expects)
        onEtag?.(reply.headers.get('etag') ?? '')
        onEvents?.(reply.headers.get('event-id')?.split(', ') ?? [])
        return answer
      }).catch((error: unknown) => {
        signal?.throwIfAborted()
        throw error instanceof ZoetropeError ? error : unreachable(asked, error)
      }),
    )
  }
}

function contentOf(body: unknown): { body?: BodyInit; headers?: Record<string, string> } {
  if (body === undefined) return {}
  if (body instanceof URLSearchParams || body instanceof FormData) return { body }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

export function unreachable(asked: string, cause: unknown): ZoetropeError {
  if (cause instanceof DOMException && cause.name === 'TimeoutError')
    return new ZoetropeError(`${asked} ${cause.message}`, { status: 0, code: 'timeout', cause })
  return new ZoetropeError(`${asked} got no answer: ${reason(cause)}.`, { status: 0, code: 'network', cause })
}

/** Node says only "fetch failed" and keeps the reason one level down. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : reason(error.cause)
}
