/** An event of a stream, as a browser receives it. */
export interface StreamEvent {
  readonly name: string
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  readonly data: any
}

export interface EventReader {
  readonly status: number
  readonly headers: Headers
  /** Returns everything that was sent, including comments. */
  text(): string
  readonly events: readonly StreamEvent[]
  /** Waits for the first event that matches, received already or not. */
  until(fits: (event: StreamEvent) => boolean, seconds?: number): Promise<StreamEvent>
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>
  leave(): void
}

/** Reads Server-Sent Events as they arrive. */
export async function readEvents(
  address: string,
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const leaving = new AbortController()
  const reply = await fetch(address, { headers, signal: leaving.signal })
  const events: StreamEvent[] = []
  const waiting = new Set<() => void>()
  let text = ''
  let unread = ''
  const take = (chunk: string) => {
    text += chunk
    const blocks = (unread + chunk).split('\n\n')
    unread = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line]))
      const partOf = (name: string) => lines.get(name)?.slice(name.length + 2) ?? ''
      if (lines.has('data'))
        events.push({ name: partOf('event'), id: partOf('id'), data: JSON.parse(partOf('data')) })
    }
    for (const wake of waiting) wake()
  }
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of reply.body ?? []) take(decoder.decode(chunk as Uint8Array, { stream: true }))
  }
  const ended = read().catch(() => {})
  return {
    status: reply.status,
    headers: reply.headers,
    text: () => text,
    events,
    ended,
    leave: () => leaving.abort(),
    until: (fits, seconds = 30) =>
      new Promise((resolve, reject) => {
        const done = () => {
          clearTimeout(late)
          waiting.delete(look)
        }
        const look = () => {
          const found = events.find(fits)
          if (!found) return
          done()
          resolve(found)
        }
        const late = setTimeout(() => {
          done()
          reject(new Error(`Nothing like it came:\n${text}`))
        }, seconds * 1000)
        waiting.add(look)
        look()
      }),
  }
}
