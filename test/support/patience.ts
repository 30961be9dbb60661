import { setTimeout as pause } from 'node:timers/promises'

/**
 * How long a test waits for an expected condition. Only a failing test waits this long, so it allows for a machine many
 * times slower than usual.
 */
export const patienceMs = 300_000

/** Polls until there is a result. Fails with the name of the condition if there is none. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  for (const begun = performance.now(); performance.now() - begun < patienceMs; await pause(25)) {
    const found = await ask()
    if (found) return found
  }
  throw new Error(`${what} did not come within ${patienceMs / 1000} s.`)
}
