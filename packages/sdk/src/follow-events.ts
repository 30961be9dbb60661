import type { Catalog, RecordOf } from '@zoetrope/contract'
import { pause } from './deadline.js'
import { encodeQuery } from './query.js'

interface Followed {
  readonly url: string
  /** The channel of the session. */
  readonly channelId: string
  /** The filters of the list of events. */
  readonly query?: Readonly<Record<string, unknown>>
  /** The last event that is known. Without it, the stream begins now. */
  readonly after?: string | undefined
}

type OnEvent = (event: RecordOf<Catalog['events']>) => void

/** How long to wait before a new connection, unless the server says otherwise. */
const usualRetryMs = 3000

/**
 * Calls back with each new event of the channel of a dashboard session. After a broken connection it continues with the
 * next event. Returns a function that stops it. In browsers only.
 */
export function followEvents(followed: Followed, onEvent: OnEvent): () => void {
  const leaving = new AbortController()
  void follow(followed, onEvent, leaving.signal)
  return () => leaving.abort()
}

async function follow({ url, channelId, query, after }: Followed, onEvent: OnEvent, signal: AbortSignal) {
  const address = `${url.replace(/\/+$/, '')}/events${encodeQuery({ ...query, channel_id: channelId })}`
  let last = after
  let retryMs = usualRetryMs
  const take = (name: string, value: string) => {
    if (name === 'retry') retryMs = Number(value)
    if (name !== 'data' || signal.aborted) return
    const event: Parameters<OnEvent>[0] = JSON.parse(value)
    last = event._id
    onEvent(event)
  }
  while (!signal.aborted) {
    const headers = { accept: 'text/event-stream', ...(last ? { 'last-event-id': last } : {}) }
    const status = await fetch(address, { headers, signal }).then(
      (reply) => readStream(reply, take),
      () => 0,
    )
    // The session has ended, or its role may no longer read events.
    if (status === 401 || status === 403) return
    // The last event is no longer kept.
    if (status === 422) last = undefined
    await pause(retryMs, signal).catch(() => undefined)
  }
}

/** Reads the lines of a stream until it ends. Returns the status of the response. */
async function readStream(
  { ok, status, body }: Response,
  onLine: (name: string, value: string) => void,
): Promise<number> {
  if (!ok || !body) return status
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let unread = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return status
      const lines = (unread + value).split('\n')
      unread = lines.pop() ?? ''
      for (const line of lines) {
        const colon = line.indexOf(': ')
        onLine(line.slice(0, colon), line.slice(colon + 2))
      }
    }
  } catch {
    return status
  }
}
