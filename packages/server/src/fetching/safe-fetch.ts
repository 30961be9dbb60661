import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { FetchFailed, FetchRefused } from './fetch-error.js'
import { type FetchTarget, findTarget, lookUp, type Resolve, readUrl } from './target.js'
import { responseTooLarge, watchedBody } from './watched-body.js'

export interface FetchOptions {
  /** The largest accepted body. */
  readonly maxBytes: number
  /** The limit for everything, including redirects and the last byte of the body. */
  readonly timeoutMs: number
  /**
   * The limit for connecting and for the response head, and the window in which the body's speed is measured.
   */
  readonly idleMs: number
  /** A slower body is aborted. */
  readonly leastBytesPerSecond?: number
  readonly maxRedirects?: number
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal
  /** Whether a non-public address may be connected to. IPv4 inside IPv6 is passed as IPv4. */
  readonly allow?: (address: string) => boolean
  /** The setting that decides it, for messages. */
  readonly allowedBy?: string
  /** Resolves a host name; called once per followed address. */
  readonly resolve?: Resolve
}

export interface Fetched {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The raw body, not decompressed. Read it or destroy it. */
  readonly body: Readable
  readonly finalUrl: string
}

interface Ask {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
}

/**
 * Fetches an address given by a third party, but nothing inside our own network: every machine behind the
 * name is checked, the connection goes to a checked one, and the same holds for each redirect. Throws
 * FetchRefused for permanent and FetchFailed for temporary errors; after the response head, the body ends
 * with one of them.
 */
export async function safeFetch(address: string, options: FetchOptions): Promise<Fetched> {
  const late = new AbortController()
  const timer = setTimeout(
    () => late.abort(new FetchFailed(`It took longer than ${seconds(options.timeoutMs)} and was given up.`)),
    options.timeoutMs,
  )
  const signal = options.signal ? AbortSignal.any([late.signal, options.signal]) : late.signal
  try {
    const { answer, url } = await follow(readUrl(address), options, signal)
    refuseLarge(answer, options)
    const body = watchedBody(answer, options, signal)
    body.once('close', () => clearTimeout(timer))
    return { status: answer.statusCode ?? 0, headers: answer.headers, body, finalUrl: url.href }
  } catch (error) {
    clearTimeout(timer)
    throw error
  }
}

/** A response announced as too large is not read. HEAD announces the size that GET would return. */
function refuseLarge(answer: IncomingMessage, { method, maxBytes }: FetchOptions): void {
  const announced = Number(answer.headers['content-length'] ?? 0)
  if (method === 'HEAD' || announced <= maxBytes) return
  answer.destroy()
  throw responseTooLarge(maxBytes)
}

const seconds = (ms: number) => (ms === 1000 ? '1 second' : `${ms / 1000} seconds`)

async function follow(first: URL, options: FetchOptions, signal: AbortSignal) {
  const { maxRedirects = 5, resolve = lookUp, allow = () => false } = options
  let url = first
  let ask: Ask = { method: options.method ?? 'GET', headers: options.headers ?? {}, body: options.body }
  for (let redirects = 0; ; redirects += 1) {
    const target = await unlessAborted(findTarget(url, resolve, allow, options.allowedBy), signal)
    const answer = await sendRequest(target, ask, options.idleMs, signal)
    const location = redirectOf(answer)
    if (location === undefined) return { answer, url }
    answer.destroy()
    if (redirects >= maxRedirects) throw new FetchRefused(tooManyRedirects(maxRedirects))
    const next = readUrl(location, url)
    ask = askAgain(ask, answer.statusCode ?? 0, next.origin === url.origin)
    url = next
  }
}

const tooManyRedirects = (most: number) =>
  most === 0
    ? 'It redirects to another address, which is not followed here.'
    : `It redirects more than ${most} times, and was given up.`

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode) ? headers.location : undefined
}

const secretHeaders = new Set(['authorization', 'cookie', 'proxy-authorization'])

/** Like browsers: only 307 and 308 repeat a body, and no other origin gets our secrets. */
function askAgain({ method, headers, body }: Ask, status: number, isSameOrigin: boolean): Ask {
  const kept = Object.entries(headers).filter(
    ([name]) => isSameOrigin || !secretHeaders.has(name.toLowerCase()),
  )
  const isRepeated = status === 307 || status === 308 || method === 'HEAD'
  return {
    method: isRepeated ? method : 'GET',
    headers: Object.fromEntries(kept),
    body: isRepeated ? body : undefined,
  }
}

/** Headers the caller must not set: they decide where the request goes and where it ends. */
const ownHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'te',
  'upgrade',
  'expect',
])

function sendRequest(
  target: FetchTarget,
  { method, headers, body }: Ask,
  idleMs: number,
  signal: AbortSignal,
) {
  const { url, host } = target
  const isSecure = url.protocol === 'https:'
  const theirs = Object.entries(headers).filter(([name]) => !ownHeaders.has(name.toLowerCase()))
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = (isSecure ? requestHttps : requestHttp)({
      // A new connection, because a pooled one may have been made for another name.
      agent: false,
      method,
      host,
      port: url.port || (isSecure ? 443 : 80),
      path: `${url.pathname}${url.search}`,
      ...(isSecure && !isIP(host) ? { servername: host.replace(/\.$/, '') } : {}),
      rejectUnauthorized: true,
      lookup: pinned(target),
      signal,
      headers: {
        'user-agent': 'Zoetrope',
        accept: '*/*',
        ...Object.fromEntries(theirs),
        host: url.host,
        'accept-encoding': 'identity',
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
    })
    const timer = setTimeout(
      () => request.destroy(new FetchFailed(`${host} did not answer within ${seconds(idleMs)}.`)),
      idleMs,
    )
    request.once('close', () => clearTimeout(timer))
    request.once('response', (answer) => {
      clearTimeout(timer)
      resolve(answer)
    })
    request.on('error', (error) => reject(connectionError(error, host, signal)))
    request.end(body)
  })
}

/** Resolves every look-up to the checked addresses. */
function pinned({ addresses }: FetchTarget): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, done) => {
    if (options.all) return done(null, found)
    const [first] = found
    done(null, first?.address ?? '', first?.family)
  }
}

function connectionError(error: NodeJS.ErrnoException, host: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof FetchFailed) return error
  const code = error.code ?? ''
  if (/CERT|SIGNATURE|ERR_TLS/.test(code))
    return new FetchFailed(
      `${host} cannot prove that it is ${host}: its certificate is not valid (${code}).`,
      {
        cause: error,
      },
    )
  return new FetchFailed(`The connection to ${host} failed (${code || error.message}).`, { cause: error })
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
