import { type Answer, readAnswer } from './answer.js'
import { within } from './deadline.js'
import { type ClientOptions, credentialHeader } from './options.js'
import { encodeQuery } from './query.js'
import { repeating } from './retry.js'
import { ZoetropeError } from './zoetrope-error.js'

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

export type Send = (request: Request) => Promise<Answer | undefined>

export function createTransport(options: ClientOptions): Send {
  const { url, fetch = globalThis.fetch, retries = 2, timeoutMs = 30_000 } = options
  const base = url.replace(/\/+$/, '')
  const headers = { accept: 'application/json', ...credentialHeader(options) }

  return async ({ method, path, query, body, signal }) => {
    const asked = `${method} ${base}${path}`
    const address = base + path + encodeQuery(query)
    const init: RequestInit = {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      // Followed, a redirect would take the key to another host and turn a POST into a GET.
      redirect: 'manual',
    }
    return repeating({ method, retries, signal }, () =>
      within(timeoutMs, signal, async (deadline) =>
        readAnswer(await fetch(address, { ...init, signal: deadline }), asked),
      ).catch((error: unknown) => {
        signal?.throwIfAborted()
        throw error instanceof ZoetropeError ? error : unreachable(asked, error)
      }),
    )
  }
}

function unreachable(asked: string, cause: unknown): ZoetropeError {
  if (cause instanceof DOMException && cause.name === 'TimeoutError')
    return new ZoetropeError(`${asked} ${cause.message}`, { status: 0, code: 'timeout', cause })
  return new ZoetropeError(`${asked} got no answer: ${reason(cause)}.`, { status: 0, code: 'network', cause })
}

/** Node says only "fetch failed" and keeps the reason one level down. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : reason(error.cause)
}
