import { limits } from '@zoetrope/contract'
import { ApiError } from '../errors.js'

/** Each stream costs memory and a connection. */
const mostStreams = 1000

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Stops proxies from buffering the stream.
  'x-accel-buffering': 'no',
} as const

export function checkStreamLimits(streams: { open(siteId?: string): number }, siteId: string): void {
  const again = { headers: { 'Retry-After': '10' } }
  if (streams.open(siteId) >= limits.event_streams.value)
    throw new ApiError(429, 'This channel has too many streams of events open. Close some of them.', again)
  if (streams.open() >= mostStreams)
    throw new ApiError(503, 'Too many streams of events are open. Try again in a moment.', again)
}
