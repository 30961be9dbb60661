import { PassThrough, type Readable } from 'node:stream'
import { catalog, publishes } from '@zoetrope/contract'
import { mayDo } from '../auth/access.js'
import type { Credential, Principal } from '../auth/principals.js'
import { ApiError } from '../errors.js'
import { channel as windowsChannel } from '../media-segments/window-leases.js'
import type { Parts } from '../resources/feature.js'
import { groups, readNews, type VideoKey, type VideoNews } from './video-news.js'

/** Streams every change of a video to its watchers, including changes made by other processes. */
export interface EventStreams {
  /** The number of open streams, in total or of a channel. */
  open(site_id?: string): number
  /**
   * Starts with the complete state, and ends when the video is finished or removed, or the credential is
   * revoked.
   */
  watch(key: VideoKey, news: VideoNews, credential: Credential): Readable
  /** Ends all streams. */
  close(): void
}

interface Stream {
  readonly out: PassThrough
  readonly credential: Credential
  /** The last state sent. */
  said: VideoNews
}

interface Watched {
  readonly key: VideoKey
  readonly streams: Set<Stream>
  /** When the video was last read, and when it will be read next, if planned. */
  lookedAt: number
  next: number
  planned: NodeJS.Timeout | undefined
  isLooking: boolean
}

const videosChannel = 'video_media'
const tickMs = 2500
const ticksToPoll = 2
const ticksToBeat = 6
/** Writes come in bursts, and segments faster than anyone reads. */
const soonMs = 50
const progressMs = 1000
/** A client with this many unread bytes is disconnected. */
const mostWaiting = 1_048_576
const retryMs = 3000

/** Whether a caller may follow how videos become ready: the publisher, and keys that may read videos. */
export const mayFollow = (principal: Principal): boolean =>
  publishes(principal.kind) && mayDo(principal, catalog.videos, 'get')

export function createEventStreams(parts: Pick<Parts, 'database' | 'cache' | 'principals'>): EventStreams {
  const { database, principals } = parts
  const watched = new Map<string, Watched>()
  const bySource = new Map<string, Watched>()
  const heard = new Set<string>()
  let ticking: NodeJS.Timeout | undefined
  let ticks = 0

  const nameOf = ({ site_id, video_id }: VideoKey) => `${site_id}/${video_id}`
  function hear(): void {
    void hearOn(videosChannel, (name) => {
      // An empty message means that notifications may have been missed.
      for (const each of name === '' ? watched.values() : [watched.get(name)]) if (each) look(each, soonMs)
    })
    void hearOn(windowsChannel, (name) => {
      const each = bySource.get(name.slice(0, name.indexOf('/')))
      if (each) look(each, progressMs)
    })
  }

  /** Listens on each channel once, even if an earlier attempt failed halfway. */
  async function hearOn(channel: string, onNews: (name: string) => void): Promise<void> {
    if (heard.has(channel)) return
    heard.add(channel)
    try {
      await database.listen(channel, onNews)
    } catch {
      // The slow poll finds every change too; the next stream tries to listen again.
      heard.delete(channel)
    }
  }

  /** Reads a video now, or `gapMs` after the last read. */
  function look(each: Watched, gapMs: number): void {
    const at = Math.max(each.lookedAt + gapMs, Date.now())
    if (each.planned && each.next <= at) return
    clearTimeout(each.planned)
    each.next = at
    each.planned = setTimeout(() => void lookNow(each), at - Date.now()).unref()
  }

  async function lookNow(each: Watched): Promise<void> {
    each.planned = undefined
    if (each.isLooking) return look(each, soonMs)
    each.isLooking = true
    each.lookedAt = Date.now()
    try {
      tell(each, await readNews(parts, each.key))
    } catch {
      // The database is unreachable; the next read will see the changes.
    } finally {
      each.isLooking = false
    }
  }

  function tell(each: Watched, news: VideoNews | undefined): void {
    // All watchers left during the read.
    if (each.streams.size === 0) return
    if (news) follow(each, news)
    if (news?.isArriving) look(each, progressMs)
    for (const stream of each.streams) {
      if (news) say(each, stream, news)
      else stream.out.end(eventOf('end', JSON.stringify({ status: 'deleted' })))
    }
  }

  function say(each: Watched, stream: Stream, news: VideoNews): void {
    const changed = groups.filter((group) => news[group] !== stream.said[group])
    stream.said = news
    for (const group of changed) write(each, stream, eventOf(group, news[group], news.id))
    if (news.hasEnded) stream.out.end(eventOf('end', news.end, news.id))
  }

  function follow(each: Watched, { sources }: VideoNews): void {
    for (const source_id of sources) bySource.set(source_id, each)
  }

  function write(each: Watched, stream: Stream, text: string): void {
    stream.out.write(text)
    if (stream.out.writableLength + stream.out.readableLength > mostWaiting) drop(each, stream)
  }

  function drop(each: Watched, stream: Stream): void {
    stream.out.destroy()
    if (!each.streams.delete(stream) || each.streams.size > 0) return
    clearTimeout(each.planned)
    watched.delete(nameOf(each.key))
    for (const [source_id, by] of bySource) if (by === each) bySource.delete(source_id)
    if (watched.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }

  function tick(): void {
    ticks += 1
    for (const each of watched.values()) {
      if (ticks % ticksToPoll === 0) look(each, 0)
      for (const stream of each.streams) {
        if (ticks % ticksToBeat === 0) write(each, stream, ': still here\n\n')
        void check(each, stream)
      }
    }
  }

  /** Ends a stream whose credential was revoked. */
  async function check(each: Watched, stream: Stream): Promise<void> {
    try {
      const principal = await principals.find(stream.credential)
      if (!principal || !mayFollow(principal) || principal.siteId !== each.key.site_id) drop(each, stream)
    } catch (error) {
      // An unreachable database is no reason to end a stream; a network that is no longer allowed is one.
      if (error instanceof ApiError) drop(each, stream)
    }
  }

  return {
    open(site_id) {
      let count = 0
      for (const { key, streams } of watched.values())
        if (site_id === undefined || key.site_id === site_id) count += streams.size
      return count
    },
    watch(key, news, credential) {
      const stream = { out: new PassThrough(), credential, said: news }
      stream.out.write(`retry: ${retryMs}\n${eventOf('status', news.all, news.id)}`)
      if (news.hasEnded) return stream.out.end(eventOf('end', news.end, news.id))
      const each = watched.get(nameOf(key)) ?? unwatched(key)
      stream.out.once('close', () => drop(each, stream)).on('error', () => {})
      watched.set(nameOf(key), each)
      each.streams.add(stream)
      follow(each, news)
      hear()
      ticking ??= setInterval(tick, tickMs).unref()
      // Reads changes made since the first state.
      look(each, 0)
      return stream.out
    },
    close() {
      for (const each of watched.values()) for (const stream of each.streams) stream.out.end()
    },
  }
}

const unwatched = (key: VideoKey): Watched => ({
  key,
  streams: new Set(),
  lookedAt: 0,
  next: 0,
  planned: undefined,
  isLooking: false,
})

/** JSON contains no line breaks, so one data line is enough. */
const eventOf = (name: string, json: string, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${json}\n\n`
