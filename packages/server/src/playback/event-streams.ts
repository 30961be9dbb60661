import { PassThrough, type Readable } from 'node:stream'
import { publishes } from '@zoetrope/contract'
import type { Credential, Principals } from '../auth/principals.js'
import type { Database } from '../db/database.js'
import { channel as windowsChannel } from '../media-segments/window-leases.js'
import { groups, readNews, type VideoKey, type VideoNews } from './video-news.js'

/** Tells whoever watches videos become ready of every change, whichever process makes it. */
export interface EventStreams {
  /** How many streams are open: all of them, or those of a channel. */
  open(site_id?: string): number
  /** Begins with all the news, and goes on until the video is done, is removed, or its watcher may not watch any more. */
  watch(key: VideoKey, news: VideoNews, credential: Credential): Readable
  /** Ends them all. */
  close(): void
}

interface Stream {
  readonly out: PassThrough
  readonly credential: Credential
  /** What was said last. */
  said: VideoNews
}

interface Watched {
  readonly key: VideoKey
  readonly streams: Set<Stream>
  /** When it was last looked at, and when it is next, if that is planned. */
  lookedAt: number
  next: number
  planned: NodeJS.Timeout | undefined
  isLooking: boolean
}

const videosChannel = 'video_media'
const tickMs = 2500
const ticksToPoll = 2
const ticksToBeat = 6
/** Writes come in bursts, and pieces of video faster than anybody reads. */
const soonMs = 50
const progressMs = 1000
/** Whoever does not read for so long that this much waits for them is left. */
const mostWaiting = 1_048_576
const retryMs = 3000

export function createEventStreams({ db, listen }: Database, principals: Principals): EventStreams {
  const watched = new Map<string, Watched>()
  const bySource = new Map<string, Watched>()
  const heard = new Set<string>()
  let ticking: NodeJS.Timeout | undefined
  let ticks = 0

  const nameOf = ({ site_id, video_id }: VideoKey) => `${site_id}/${video_id}`
  function hear(): void {
    void hearOn(videosChannel, (name) => {
      // An empty message says that some may have been missed.
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
      await listen(channel, onNews)
    } catch {
      // The slow look finds everything too; the next stream tries again.
      heard.delete(channel)
    }
  }

  /** Looks at a video unless that was done less than `gapMs` ago; then when that time is over. */
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
      tell(each, await readNews(db, each.key))
    } catch {
      // The database is away; what happened meanwhile is seen at the next look.
    } finally {
      each.isLooking = false
    }
  }

  function tell(each: Watched, news: VideoNews | undefined): void {
    // They have all left while it was looked at.
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

  /** A key that was revoked ends what it opened. */
  async function check(each: Watched, stream: Stream): Promise<void> {
    try {
      const principal = await principals.find(stream.credential)
      if (!principal || !publishes(principal.kind) || principal.siteId !== each.key.site_id)
        drop(each, stream)
    } catch {
      // Nobody is turned away because the database is.
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
      // What happened since the news were read.
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

/** JSON has no line breaks, so that one line of data is enough. */
const eventOf = (name: string, json: string, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${json}\n\n`
