import { PassThrough, type Readable } from 'node:stream'
import { catalog } from '@zoetrope/contract'
import { mayDo } from '../auth/access.js'
import type { Credential, Principal } from '../auth/principals.js'
import { eventHorizon, eventsAfter, followedAtOnce, hasEvents } from '../features/events/follow.js'
import type { EventPosition } from '../features/events/request.js'
import { eventHints } from '../lists/event-hints.js'
import type { Parts } from '../resources/feature.js'
import { createOpenStreams, eventText, retryLine, type StreamGroup } from './open-streams.js'

/** What a client follows. */
export interface Followed {
  readonly credential: Credential
  readonly principal: Principal
  readonly query: Readonly<Record<string, unknown>>
  /** The last event that the client knows, or the position of now. */
  readonly after: EventPosition
}

/** Streams the events of channels to clients that follow them. */
export interface ActivityStreams {
  /** The number of open streams, in total or of a channel. */
  open(siteId?: string): number
  follow(followed: Followed): Readable
  close(): void
}

interface ActivityStream extends Followed {
  readonly out: PassThrough
  position: EventPosition
  isReading: boolean
}

interface FollowedChannel extends StreamGroup<ActivityStream> {
  /** Up to here, its events were looked at. */
  seen: string
  isLooking: boolean
}

const tickMs = 1000
const ticksToBeat = 15
const ticksToCheck = 3
/** A client with this many unread bytes is disconnected. It continues with the last event it has read. */
const mostWaiting = 4_194_304

export function createActivityStreams(parts: Parts): ActivityStreams {
  const { database, principals } = parts
  let isListening = false
  const open = createOpenStreams<ActivityStream, FollowedChannel>({
    principals,
    tickMs,
    ticksToBeat,
    ticksToCheck,
    mostWaiting,
    // A change of the role or of the scopes ends a stream too.
    isAllowed: (principal, stream) =>
      principal.kind === stream.principal.kind &&
      principal.scope === stream.principal.scope &&
      mayDo(principal, catalog.events, 'list'),
    onTick: (channel) => void look(channel),
  })

  async function listen(): Promise<void> {
    if (isListening) return
    isListening = true
    try {
      await database.listen(eventHints, (siteId) => {
        for (const each of siteId === '' ? open.groups.values() : [open.groups.get(siteId)])
          if (each) void look(each)
      })
    } catch {
      // The tick finds new events too; the next stream tries to listen again.
      isListening = false
    }
  }

  /** Looks whether a channel has new events, and sends them. */
  async function look(channel: FollowedChannel): Promise<void> {
    if (channel.isLooking) return
    channel.isLooking = true
    try {
      const horizon = await eventHorizon(parts)
      const isNew = await hasEvents(parts, channel.siteId, { xact: channel.seen, id: '' }, horizon)
      channel.seen = horizon
      if (isNew) for (const stream of channel.streams) void send(channel, stream)
    } catch {
      // The database is unreachable; the next tick tries again.
    } finally {
      channel.isLooking = false
    }
  }

  async function send(channel: FollowedChannel, stream: ActivityStream): Promise<void> {
    if (stream.isReading) return
    stream.isReading = true
    try {
      let isMore = true
      while (isMore && !stream.out.destroyed) isMore = await sendSome(channel, stream)
    } catch {
      // The same: the position is unchanged, so that nothing is lost.
      channel.seen = '0'
    } finally {
      stream.isReading = false
    }
    // Events that were found while the stream was being read.
    if (!stream.out.destroyed && BigInt(stream.position.xact) < BigInt(channel.seen))
      void send(channel, stream)
  }

  /** Sends the next events of a stream. Returns whether there may be more. */
  async function sendSome(channel: FollowedChannel, stream: ActivityStream): Promise<boolean> {
    const horizon = await eventHorizon(parts)
    const { principal, query } = stream
    const scope = { site_id: channel.siteId }
    const following = { resource: catalog.events, principal, query, scope }
    const found = await eventsAfter(parts, following, stream.position, horizon)
    const last = found.at(-1)
    const isMore = found.length === followedAtOnce
    stream.position = isMore && last ? last : { xact: horizon, id: '' }
    const text = found.map(({ id, type, record }) => eventText(type, record, id)).join('')
    if (text !== '') open.write(channel, stream, text)
    return isMore
  }

  return {
    open: open.count,
    follow(followed) {
      const { siteId } = followed.principal
      const position = followed.after
      const stream = { ...followed, out: new PassThrough(), position, isReading: false }
      const channel = open.groups.get(siteId) ?? {
        name: siteId,
        siteId,
        streams: new Set(),
        seen: position.xact,
        isLooking: false,
      }
      stream.out.write(`${retryLine}\n`)
      open.add(channel, stream)
      void listen()
      void send(channel, stream)
      return stream.out
    },
    close: open.close,
  }
}
