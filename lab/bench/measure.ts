import { setTimeout as delay } from 'node:timers/promises'
import autocannon from 'autocannon'

/** Requests for each connection. */
const prepared = 2000

export interface Load {
  readonly url: string
  readonly seconds: number
  readonly connections?: number
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly headers?: Record<string, string>
  /** Returns the path and body of each request. Without it, every request has the same path. */
  readonly next?: () => { path?: string; body?: string }
}

/**
 * Returns the requests per second over a constant number of connections. Any response that is not 2xx ends the bench.
 */
export async function throughput({
  url,
  seconds,
  connections = 16,
  method = 'GET',
  headers = {},
  next,
}: Load): Promise<number> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method,
    headers,
    // Seconds. Only a server that no longer answers takes so long.
    timeout: 120,
    // Prepared in advance, because the load generator takes processor time from the server on the same machine. Each connection has
    // its own: with common ones, all connections would send the same request at the same moment.
    ...(next ? { setupClient: (client) => client.setRequests(Array.from({ length: prepared }, next)) } : {}),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} errors`)
  return result.requests.total / (result.duration || seconds)
}

let asked = 0
/** A parameter that nobody knows and that has another value each time, so that no answer comes from memory. */
export function anew(): string {
  asked += 1
  return `new=${asked}`
}

const warmTurns = 12
const warmSeconds = 5

/**
 * Sends a load until it becomes no faster: a server whose code is not compiled yet takes more than twice as long for a request, and on a
 * slow machine that lasts for a minute.
 */
export async function warmUp(load: Omit<Load, 'seconds'>): Promise<void> {
  let best = 0
  for (let turn = 0; turn < warmTurns; turn += 1) {
    const rate = await throughput({ ...load, seconds: warmSeconds })
    if (rate < best * 1.05) return
    best = rate
  }
}

/**
 * Sends requests at a constant rate, whether or not earlier ones have been answered, and returns how many. So a server has the
 * same work for each request however many others share the machine, as long as it keeps up.
 */
export async function paced({
  url,
  seconds,
  rate,
  next,
}: Pick<Load, 'url' | 'seconds'> & { rate: number; next: () => { path: string } }): Promise<number> {
  const wanted = seconds * rate
  const begun = performance.now()
  const replies: Promise<void>[] = []
  const ask = async () => {
    const reply = await fetch(url + next().path)
    await reply.arrayBuffer()
    if (!reply.ok) throw new Error(`${url} answered ${reply.status}`)
  }
  while (replies.length < wanted) {
    const due = Math.min(wanted, Math.floor(((performance.now() - begun) / 1000) * rate))
    while (replies.length < due) replies.push(ask())
    await delay(1000 / rate)
  }
  await Promise.all(replies)
  return wanted
}

export interface Latency {
  readonly median: number
  readonly p95: number
}

/** Measures requests one after the other on one connection, in milliseconds. */
export async function latency(
  times: number,
  urlOf: (index: number) => string,
  headers: Record<string, string>,
): Promise<Latency> {
  const taken: number[] = []
  for (let index = -2; index < times; index += 1) {
    const begun = performance.now()
    const reply = await fetch(urlOf(index), { headers })
    await reply.arrayBuffer()
    if (!reply.ok) throw new Error(`${urlOf(index)} answered ${reply.status}`)
    // The first two requests open the connection and prepare the statement.
    if (index >= 0) taken.push(performance.now() - begun)
  }
  taken.sort((a, b) => a - b)
  const at = (share: number) =>
    taken[Math.min(Math.floor(taken.length * share), taken.length - 1)] ?? Number.NaN
  return { median: at(0.5), p95: at(0.95) }
}
