import { setTimeout as pause } from 'node:timers/promises'

class TooSlow extends Error {}

/** What a test about a moment uses. */
export interface Moment {
  readonly at: Date
  /** Runs what must finish before the moment. */
  before<T>(act: () => Promise<T>): Promise<T>
  /** Waits until the moment has passed. */
  passed(): Promise<void>
}

const tries = 4

/**
 * Runs a test about a moment in the near future. If the machine is too slow to finish the work that must come before
 * it, the test runs again with four times as long.
 */
export async function aroundMoment(ms: number, run: (moment: Moment) => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run(momentIn(ms * 4 ** attempt))
    } catch (error) {
      if (!(error instanceof TooSlow) || attempt === tries - 1) throw error
    }
  }
}

function momentIn(ms: number): Moment {
  const at = new Date(Date.now() + ms)
  const isOver = () => Date.now() >= at.getTime()
  return {
    at,
    async before(act) {
      const result = await act().catch((error: unknown) => {
        throw isOver() ? new TooSlow('The moment had come already.', { cause: error }) : error
      })
      if (isOver()) throw new TooSlow('The moment had come already.')
      return result
    },
    // A timer may fire a little early.
    passed: () => pause(Math.max(0, at.getTime() - Date.now()) + 10).then(() => undefined),
  }
}
