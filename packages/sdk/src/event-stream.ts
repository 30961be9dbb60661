import { pause } from './deadline.js'
import { mayRepeat } from './retry.js'
import { ZoetropeError } from './zoetrope-error.js'

interface Followed {
  readonly signal?: AbortSignal | undefined
  /** The id of the message after which the stream begins. */
  readonly after?: string | undefined
  /** How often the first connection is tried again. A stream that breaks later is continued, however long it takes. */
  readonly retries: number
  /** Opens the stream after a message; throws a ZoetropeError if the server refuses. */
  open(after: string | undefined, signal: AbortSignal): Promise<Response>
}

type StreamMessage = Partial<Record<'id' | 'event' | 'data' | 'retry', string>>

/** How long to wait before a new connection, unless the server says otherwise. */
const usualPauseMs = 3000
/** The server sends something every 15 seconds, so a connection that is silent for longer is dead. */
const longestSilenceMs = 45_000

/** Yields the messages of a stream of Server-Sent Events. After a broken connection it continues with the next message. */
export async function* followStream(followed: Followed): AsyncGenerator<StreamMessage, void, undefined> {
  const { signal, after, retries } = followed
  const place = { last: after, pauseMs: usualPauseMs, triesLeft: retries, isOver: false }
  while (!place.isOver)
    try {
      yield* readOnce(followed, place)
    } catch (error) {
      signal?.throwIfAborted()
      if (place.triesLeft-- <= 0 || !isPassing(error)) throw error
      await pause(place.pauseMs, signal)
    }
}

interface Place {
  last: string | undefined
  pauseMs: number
  triesLeft: number
  isOver: boolean
}

/** Reads until the connection ends. */
async function* readOnce({ signal, open }: Followed, place: Place): AsyncGenerator<StreamMessage> {
  const connection = connect(signal)
  try {
    const reply = await open(place.last, connection.signal)
    place.isOver = reply.status === 204
    place.triesLeft = Number.POSITIVE_INFINITY
    for await (const message of messagesOf(reply, connection.stayAlive)) {
      place.last = message.id ?? place.last
      place.pauseMs = Number(message.retry ?? place.pauseMs)
      yield message
    }
  } finally {
    connection.end()
  }
  if (!place.isOver) throw new TypeError('The stream has ended.')
}

/** What breaks while it is read is a connection. */
const isPassing = (error: unknown) => !(error instanceof ZoetropeError) || mayRepeat(true, error)

/** A signal that aborts with the caller's, or after a long silence. */
function connect(signal: AbortSignal | undefined) {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const leave = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', leave)
  const give = () => setTimeout(() => controller.abort(), longestSilenceMs)
  let silence = give()
  return {
    signal: controller.signal,
    stayAlive() {
      clearTimeout(silence)
      silence = give()
    },
    end() {
      clearTimeout(silence)
      signal?.removeEventListener('abort', leave)
      controller.abort()
    },
  }
}

async function* messagesOf({ body }: Response, onBytes: () => void): AsyncGenerator<StreamMessage> {
  if (!body) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let unread = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onBytes()
    const messages = (unread + value).split('\n\n')
    unread = messages.pop() ?? ''
    for (const message of messages) yield linesOf(message)
  }
}

const linesOf = (message: string): StreamMessage =>
  Object.fromEntries(
    message.split('\n').flatMap((line) => {
      const colon = line.indexOf(': ')
      return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 2)]] : []
    }),
  )
