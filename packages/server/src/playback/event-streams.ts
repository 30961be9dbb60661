import { PassThrough, type Readable } from 'node:stream'
import { catalog, publishes } from '@zoetrope/contract'
import { mayDo } from '../auth/access.js'
import type { Credential, Principal } from '../auth/principals.js'
import { channel as windowsChannel } from '../media-segments/window-leases.js'
import type { Parts } from '../resources/feature.js'
import { createOpenStreams, eventText, retryLine, type StreamGroup } from './open-streams.js'
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

interface Watched extends StreamGroup<Stream> {
  readonly key: VideoKey
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

/** Whether a caller may follow how videos become ready: the publisher, and keys that may read videos. */
export const mayFollow = (principal: Principal): boolean =>
  publishes(principal.kind) && mayDo(principal, catalog.videos, 'get')

export function createEventStreams(parts: Pick<Parts, 'database' | 'cache' | 'principals'>): EventStreams {
  const { database, principals } = parts
  const bySource = new Map<string, Watched>()
  const heard = new Set<string>()
  const open = createOpenStreams<Stream, Watched>({
    principals,
    tickMs,
    ticksToBeat,
    ticksToCheck: 1,
    mostWaiting,
    isAllowed: mayFollow,
    onTick(each, ticks) {
      if (ticks % ticksToPoll === 0) look(each, 0)
    },
    onEmpty(each) {
      clearTimeout(each.planned)
      for (const [source_id, by] of bySource) if (by === each) bySource.delete(source_id)
    },
  })

  function hear(): void {
    void hearOn(videosChannel, (name) => {
      // An empty message means that notifications may have been missed.
      for (const each of name === '' ? open.groups.values() : [open.groups.get(name)])
        if (each) look(each, soonMs)
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
      else stream.out.end(eventText('end', JSON.stringify({ status: 'deleted' })))
    }
  }

  function say(each: Watched, stream: Stream, news: VideoNews): void {
    const changed = groups.filter((group) => news[group] !== stream.said[group])
    stream.said = news
    for (const group of changed) open.write(each, stream, eventText(group, news[group], news.id))
    if (news.hasEnded) stream.out.end(eventText('end', news.end, news.id))
  }

  function follow(each: Watched, { sources }: VideoNews): void {
    for (const source_id of sources) bySource.set(source_id, each)
  }

  return {
    open: open.count,
    watch(key, news, credential) {
      const stream = { out: new PassThrough(), credential, said: news }
      stream.out.write(retryLine + eventText('status', news.all, news.id))
      if (news.hasEnded) return stream.out.end(eventText('end', news.end, news.id))
      const each = open.groups.get(nameOf(key)) ?? unwatched(key)
      open.add(each, stream)
      follow(each, news)
      hear()
      // Reads changes made since the first state.
      look(each, 0)
      return stream.out
    },
    close: open.close,
  }
}

const nameOf = ({ site_id, video_id }: VideoKey) => `${site_id}/${video_id}`

const unwatched = (key: VideoKey): Watched => ({
  key,
  name: nameOf(key),
  siteId: key.site_id,
  streams: new Set(),
  lookedAt: 0,
  next: 0,
  planned: undefined,
  isLooking: false,
})
