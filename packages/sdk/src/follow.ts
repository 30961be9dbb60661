import type { Catalog, ChannelEvent, ListQueryOf, RecordOf } from '@zoetrope/contract'
import type { Caller } from './caller.js'
import { followStream } from './event-stream.js'
import { encodeQuery } from './query.js'

export interface FollowEventsOptions {
  /** The id of the last event that you have handled. Without it, only events from now on are sent. */
  readonly after?: string | undefined
  /** Ends the loop, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** The filters of the list of events that a stream takes too. */
export type FollowEventsQuery = Omit<
  ListQueryOf<Catalog['events']>,
  'after' | 'before' | 'cursor' | 'order' | 'page' | 'per_page' | 'q' | 'response_fields' | 'sort'
>

/** Fields of a video that have changed, and how far its formats are, in per cent. */
export type VideoProgress = Partial<RecordOf<Catalog['videos']>> & { readonly progress?: number | null }

const opener =
  ({ open }: Caller, path: string) =>
  (after: string | undefined, signal: AbortSignal) =>
    open(path, {
      headers: { accept: 'text/event-stream', ...(after ? { 'last-event-id': after } : {}) },
      signal,
    })

/** Yields the events of the channel as they happen, each once and in order, for as long as you read. */
export async function* followEvents(
  caller: Caller,
  query: FollowEventsQuery = {},
  { after, signal }: FollowEventsOptions = {},
): AsyncGenerator<ChannelEvent, void, undefined> {
  const open = opener(caller, `/events${encodeQuery(query)}`)
  for await (const { data } of followStream({ after, signal, retries: caller.retries, open }))
    if (data) yield JSON.parse(data)
}

/** Yields what changes while a film is prepared, first everything, and ends when it is complete or has failed. */
export async function* followVideo(
  caller: Caller,
  id: string,
  { signal }: Pick<FollowEventsOptions, 'signal'> = {},
): AsyncGenerator<VideoProgress, void, undefined> {
  const open = opener(caller, `/videos/${encodeURIComponent(id)}/events`)
  for await (const { event, data } of followStream({ signal, retries: caller.retries, open })) {
    if (data) yield JSON.parse(data)
    if (event === 'end') return
  }
}
