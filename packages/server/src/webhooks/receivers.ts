import type { Business, Claimed } from './claim.js'
import type { Health } from './room.js'

/** A receiver that takes longer than this is a slow one until it answers faster. */
const slowMs = 2000

/** How long a webhook is sent nothing after it failed once. The time doubles with every failure after it. */
const firstRestMs = 100

interface Trouble {
  /** How often in a row it failed. */
  readonly failures: number
  readonly restsUntil: number
  readonly isSlow: boolean
}

export interface Receivers {
  begin(claimed: Claimed): void
  end(claimed: Claimed, hasFailed: boolean): void
  business(): Business
}

/** Keeps account of what this worker sends, and of the webhooks that failed or were slow when it last sent them something. */
export function createReceivers(longestRestMs: number): Receivers {
  const sending = new Map<Claimed, number>()
  const troubles = new Map<string, Trouble>()
  const webhooksWith = (isMeant: (trouble: Trouble) => boolean) =>
    [...troubles].flatMap(([webhook_id, trouble]) => (isMeant(trouble) ? [webhook_id] : []))
  return {
    begin: (claimed) => void sending.set(claimed, performance.now()),
    end(claimed, hasFailed) {
      const now = performance.now()
      const { webhook_id } = claimed
      const isSlow = now - (sending.get(claimed) ?? now) > slowMs
      sending.delete(claimed)
      if (!hasFailed && !isSlow) return void troubles.delete(webhook_id)
      const { failures, restsUntil } = troubles.get(webhook_id) ?? { failures: 0, restsUntil: 0 }
      if (!hasFailed) troubles.set(webhook_id, { failures: 0, restsUntil: 0, isSlow })
      // Those that failed together are one failure.
      else if (restsUntil > now) troubles.set(webhook_id, { failures, restsUntil, isSlow })
      else {
        const restMs = Math.min(firstRestMs * 2 ** failures, longestRestMs)
        troubles.set(webhook_id, { failures: failures + 1, restsUntil: now + restMs, isSlow })
      }
    },
    business() {
      const now = performance.now()
      // A receiver that has answered until now may be dead since: what takes long leaves the room of those that answer.
      const isLate = (health: Health, begun: number) => health === 'answering' && now - begun > slowMs
      const places = [...sending].map(([claimed, begun]) =>
        isLate(claimed.health, begun) ? { ...claimed, health: 'slow' as const } : claimed,
      )
      const late = places.flatMap(({ health, webhook_id }) => (health === 'slow' ? [webhook_id] : []))
      return {
        sending: places,
        slow: [...new Set([...webhooksWith(({ isSlow }) => isSlow), ...late])],
        resting: webhooksWith(({ restsUntil }) => restsUntil > now),
      }
    },
  }
}
