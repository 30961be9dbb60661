import type { Claimed, Due } from './room.js'

/** A delivery that is being sent. */
export interface Sending extends Pick<Due, 'health' | 'webhook_id' | 'host' | 'site_id'> {
  /** Whether it takes so long that its receiver is a slow one. */
  readonly isLate: boolean
}

/** What this worker is sending, and what it knows about the webhooks it has sent something. */
export interface Busy {
  readonly sending: readonly Sending[]
  /** The webhooks that answer slowly. */
  readonly slow: readonly string[]
  /** The webhooks that failed a moment ago, and are not sent anything yet. */
  readonly resting: readonly string[]
  /** When something was last sent to a webhook. */
  readonly begunAt: ReadonlyMap<string, number>
}

/** A receiver that takes longer than this is a slow one until it answers faster. */
const slowMs = 2000

/** How long a webhook is sent nothing after it failed once. The time doubles with every failure after it. */
const firstRestMs = 100

interface Rest {
  readonly failures: number
  readonly until: number
}

export interface InFlight {
  begin(claimed: Claimed): void
  end(claimed: Claimed, hasFailed: boolean): void
  busy(): Busy
}

/** Keeps account of the attempts of this worker. */
export function createInFlight(longestRestMs: number): InFlight {
  const sending = new Map<Claimed, number>()
  const slow = new Set<string>()
  const rests = new Map<string, Rest>()
  const begunAt = new Map<string, number>()
  return {
    begin(claimed) {
      const now = performance.now()
      sending.set(claimed, now)
      begunAt.set(claimed.webhook_id, now)
    },
    end(claimed, hasFailed) {
      const now = performance.now()
      const { webhook_id } = claimed
      if (now - (sending.get(claimed) ?? now) > slowMs) slow.add(webhook_id)
      else slow.delete(webhook_id)
      sending.delete(claimed)
      if (!hasFailed) return void rests.delete(webhook_id)
      const { failures, until } = rests.get(webhook_id) ?? { failures: 0, until: 0 }
      // Those that failed together are one failure.
      if (until > now) return
      const restMs = Math.min(firstRestMs * 2 ** failures, longestRestMs)
      rests.set(webhook_id, { failures: failures + 1, until: now + restMs })
    },
    busy() {
      const now = performance.now()
      const active = [...sending].map(([claimed, begun]) => ({ ...claimed, isLate: now - begun > slowMs }))
      const late = active.flatMap(({ isLate, webhook_id }) => (isLate ? [webhook_id] : []))
      return {
        sending: active,
        slow: [...new Set([...slow, ...late])],
        resting: [...rests].flatMap(([webhook_id, { until }]) => (until > now ? [webhook_id] : [])),
        begunAt,
      }
    },
  }
}
