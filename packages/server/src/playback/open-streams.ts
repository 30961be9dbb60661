import type { PassThrough } from 'node:stream'
import type { Credential, Principal } from '../auth/principals.js'
import { ApiError } from '../errors.js'
import type { Parts } from '../resources/feature.js'

/** A stream of events to one client. */
interface OpenStream {
  readonly out: PassThrough
  readonly credential: Credential
}

/** The streams of all clients that follow the same thing. */
export interface StreamGroup<S extends OpenStream> {
  readonly name: string
  readonly siteId: string
  readonly streams: Set<S>
}

interface StreamRules<S extends OpenStream, G extends StreamGroup<S>> extends Pick<Parts, 'principals'> {
  readonly tickMs: number
  /** A comment keeps a silent stream open in proxies. */
  readonly ticksToBeat: number
  readonly ticksToCheck: number
  /** A client with this many unread bytes is disconnected. */
  readonly mostWaiting: number
  /** Whether the caller may still follow, with the rights it has now. */
  isAllowed(principal: Principal, stream: S): boolean
  onTick(group: G, ticks: number): void
  /** The last stream of a group has ended. */
  onEmpty?(group: G): void
}

export interface OpenStreams<S extends OpenStream, G extends StreamGroup<S>> {
  readonly groups: ReadonlyMap<string, G>
  /** The number of open streams, in total or of a channel. */
  count(siteId?: string): number
  add(group: G, stream: S): void
  write(group: G, stream: S, text: string): void
  /** Ends all streams. */
  close(): void
}

const retryMs = 3000
/** The first line of a stream: when clients connect again. */
export const retryLine = `retry: ${retryMs}\n`

/** JSON contains no line breaks, so one data line is enough. */
export const eventText = (name: string, json: string, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${json}\n\n`

/** Keeps streams open while their clients read them and may do so. */
export function createOpenStreams<S extends OpenStream, G extends StreamGroup<S>>(
  rules: StreamRules<S, G>,
): OpenStreams<S, G> {
  const groups = new Map<string, G>()
  let ticking: NodeJS.Timeout | undefined
  let ticks = 0

  function write(group: G, stream: S, text: string): void {
    stream.out.write(text)
    if (stream.out.writableLength + stream.out.readableLength > rules.mostWaiting) drop(group, stream)
  }

  function drop(group: G, stream: S): void {
    stream.out.destroy()
    if (!group.streams.delete(stream) || group.streams.size > 0) return
    groups.delete(group.name)
    rules.onEmpty?.(group)
    if (groups.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }

  function tick(): void {
    ticks += 1
    for (const group of groups.values()) {
      rules.onTick(group, ticks)
      for (const stream of group.streams) keep(group, stream)
    }
  }

  function keep(group: G, stream: S): void {
    if (ticks % rules.ticksToBeat === 0) write(group, stream, ': still here\n\n')
    if (ticks % rules.ticksToCheck === 0) void check(group, stream)
  }

  /** Ends a stream whose credential was revoked, or has lost the right to follow. */
  async function check(group: G, stream: S): Promise<void> {
    try {
      const principal = await rules.principals.find(stream.credential)
      const isAllowed = principal?.siteId === group.siteId && rules.isAllowed(principal, stream)
      if (!isAllowed) drop(group, stream)
    } catch (error) {
      // An unreachable database is no reason to end a stream; a network that is no longer allowed is one.
      if (error instanceof ApiError) drop(group, stream)
    }
  }

  return {
    groups,
    count(siteId) {
      let count = 0
      for (const group of groups.values())
        if (siteId === undefined || group.siteId === siteId) count += group.streams.size
      return count
    },
    add(group, stream) {
      stream.out.once('close', () => drop(group, stream)).on('error', () => {})
      groups.set(group.name, group)
      group.streams.add(stream)
      ticking ??= setInterval(tick, rules.tickMs).unref()
    },
    write,
    close() {
      for (const { streams } of groups.values()) for (const { out } of streams) out.end()
    },
  }
}
