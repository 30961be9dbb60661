/**
 * How a webhook has done so far. Each kind has room of its own among the deliveries that are sent at the same time, so
 * that receivers that do not answer, or answer slowly, never take the room of the others.
 */
export type Health = 'answering' | 'slow' | 'unknown' | 'failing'

/** How many deliveries of a health one worker sends at the same time. */
interface SendingRoom {
  readonly inAll: number
  /** More than that, only for webhooks to which nothing is being sent: those never wait for what others are sent. */
  readonly firsts: number
  /** To one webhook. */
  readonly each: number
  /** To one host, whatever webhooks name it. */
  readonly ofHost: number
}

export const room: Readonly<Record<Health, SendingRoom>> = {
  answering: { inAll: 256, firsts: 256, each: 32, ofHost: 64 },
  slow: { inAll: 64, firsts: 0, each: 2, ofHost: 16 },
  unknown: { inAll: 256, firsts: 256, each: 2, ofHost: 16 },
  failing: { inAll: 64, firsts: 0, each: 1, ofHost: 16 },
}

/** And for one channel, so that the webhooks of one never take all the room of others with the same health. */
export const mostOfChannel = (health: Health): number => room[health].inAll / 4

export interface Claimed {
  /**
   * Where the row is in the table. Rows are found by it, because while PostgreSQL has no statistics, it takes another index for
   * as good as that of the primary key, and reads all deliveries of a webhook to find one.
   */
  readonly ctid: string
  readonly _id: string
  readonly site_id: string
  readonly webhook_id: string
  readonly event_id: string
  readonly attempt_count: number
  /** When the lease ends. The claim is valid while the row has this time. */
  readonly next_attempt_at: Date
  readonly health: Health
  readonly url: string
  readonly host: string
  readonly sealed_secret: Uint8Array
  readonly previous_secret: Uint8Array | null
}

/** A delivery that waits, and what decides whether there is room for it. */
export type Due = Pick<Claimed, 'ctid' | '_id' | 'site_id' | 'webhook_id' | 'event_id' | 'host' | 'health'>
