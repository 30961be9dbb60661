import { ZoetropeError } from './zoetrope-error.js'

/** Start settings of a player; absent ones use the defaults. */
export type PlayerWishes = Readonly<
  Partial<Record<'autoplay' | 'muted' | 'loop' | 'controls' | 'color' | 'start', string>>
>

interface Watched {
  readonly url: string
  readonly videoId: string
  /** The channel of the session: a browser sends no headers with these requests. */
  readonly channelId: string
}

const addressOf = ({ url, channelId }: Omit<Watched, 'videoId'>, path: string) =>
  `${url.replace(/\/+$/, '')}${path}?channel_id=${encodeURIComponent(channelId)}`

/** The URL of a video's player page for a publisher who is signed in to the dashboard. */
export function videoFrame(watched: Watched, wishes: PlayerWishes = {}): string {
  const address = addressOf(watched, `/embed/${encodeURIComponent(watched.videoId)}.html`)
  const asked = new URLSearchParams(wishes as Record<string, string>)
  return asked.size === 0 ? address : `${address}&${asked}`
}

/** Fetches a text file of the server, such as a subtitle, with the dashboard session: also one that viewers do not see. */
export async function readText(from: Omit<Watched, 'videoId'>, address: string): Promise<string> {
  const reply = await fetch(addressOf(from, new URL(address).pathname))
  if (reply.ok) return reply.text()
  throw new ZoetropeError('This text cannot be read.', { status: reply.status, code: 'unreadable' })
}
