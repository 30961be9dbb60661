import { ZoetropeError } from './zoetrope-error.js'

export interface Answer {
  readonly response?: unknown
  readonly pagination?: { readonly next_cursor?: string | null }
}

/**
 * How to recognise that a success came from the API: a key in its body. With `anything` the status is enough, with `json` that
 * it is JSON. With `text` the body becomes the response as it is.
 */
export type Expected = 'anything' | 'json' | 'text' | (string & {})

interface ErrorAnswer extends Readonly<Record<string, unknown>> {
  readonly message: string
  readonly code?: string
  /** The error code of the token endpoints (RFC 6749 §5.2). */
  readonly error?: string
  readonly errors?: Readonly<Record<string, readonly string[]>>
  readonly request_id?: string
  /** What the dashboard's own endpoints still require. */
  readonly totp_required?: boolean
}

/** The body of a success, nothing for a 204; throws for everything else. `asked` names the request in messages. */
export async function readAnswer(
  reply: Response,
  asked: string,
  expects: Expected = 'response',
): Promise<Answer | undefined> {
  if (reply.type === 'opaqueredirect' || (reply.status >= 300 && reply.status < 400))
    throw redirected(reply, asked)
  if (reply.status === 204) return undefined
  const text = await reply.text()
  if (!reply.ok) throw refused(reply, text, asked)
  if (expects === 'anything') return undefined
  if (expects === 'text') return { response: text }
  const body = parse(text)
  if (body && (expects === 'json' || expects in body)) return body
  throw unreadable(reply, text, asked)
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const isError = (body: Readonly<Record<string, unknown>>): body is ErrorAnswer =>
  typeof body.message === 'string'

function refused(reply: Response, text: string, asked: string): ZoetropeError {
  const answer = parse(text)
  if (!answer || !isError(answer)) return unreadable(reply, text, asked)
  return new ZoetropeError(answer.message, {
    status: reply.status,
    code: codeOf(answer),
    errors: answer.errors,
    requestId: answer.request_id ?? requestId(reply),
    retryAfter: retryAfter(reply),
  })
}

function codeOf({ code, error, totp_required }: ErrorAnswer): string {
  if (totp_required) return 'totp_required'
  return error ?? code ?? 'unexpected'
}

function redirected(reply: Response, asked: string): ZoetropeError {
  const target = reply.headers.get('location') ?? 'another address'
  return new ZoetropeError(
    `${asked} was redirected to ${target}. Give the client its final address as url.`,
    {
      status: reply.status,
      code: 'redirected',
    },
  )
}

function unreadable(reply: Response, text: string, asked: string): ZoetropeError {
  const kind = reply.headers.get('content-type') ?? 'no content type'
  const start = text.trim().replace(/\s+/g, ' ').slice(0, 80)
  const message =
    `${asked} answered ${reply.status} with something that is not an answer of the API (${kind}). ` +
    `Is the url right, or did a proxy answer? It ${start ? `begins: ${start}` : 'is empty.'}`
  return new ZoetropeError(message, {
    status: reply.status,
    code: 'unreadable',
    requestId: requestId(reply),
    retryAfter: retryAfter(reply),
  })
}

function requestId(reply: Response): string | undefined {
  return reply.headers.get('x-request-id') ?? undefined
}

/** Seconds or a date (RFC 9110 §10.2.3), as seconds. */
function retryAfter(reply: Response): number | undefined {
  const value = reply.headers.get('retry-after')?.trim()
  if (!value) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const seconds = (Date.parse(value) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds))
}
