import { readAnswer } from './answer.js'
import { within } from './deadline.js'
import type { Connection } from './options.js'
import { protocolHeaders, unreachable } from './transport.js'

/** Makes requests that are not about records: streams, and pieces of files. */
export interface Caller {
  /** Without a slash at its end. */
  readonly url: string
  readonly retries: number
  /** Sends a request once. Throws a ZoetropeError if it gets no response or an error. */
  open(path: string, init: RequestInit): Promise<Response>
  /** The same within the time limit of the connection. */
  ask(path: string, init: RequestInit): Promise<Response>
}

export function createCaller(connection: Connection, credential: Readonly<Record<string, string>>): Caller {
  const { url, fetch = globalThis.fetch, retries = 2, timeoutMs = 30_000 } = connection
  const base = url.replace(/\/+$/, '')
  const open: Caller['open'] = async (path, init) => {
    const asked = `${init.method ?? 'GET'} ${base}${path}`
    const headers = {
      ...protocolHeaders(connection),
      ...credential,
      ...(init.headers as Record<string, string>),
    }
    const reply = await fetch(base + path, { ...init, headers, redirect: 'manual' }).catch(
      (error: unknown) => {
        throw unreachable(asked, error)
      },
    )
    if (!reply.ok) await readAnswer(reply, asked, 'anything')
    return reply
  }
  const ask: Caller['ask'] = async (path, { signal, ...init }) =>
    within(timeoutMs, signal ?? undefined, async (deadline) => open(path, { ...init, signal: deadline }))
  return { url: base, retries, open, ask }
}
