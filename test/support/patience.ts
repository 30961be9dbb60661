import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

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

/** Waits until a value that changes by itself is the expected one. Fails with the last one. */
export async function untilEqual<T>(read: () => Promise<T>, expected: T): Promise<void> {
  let last = await read()
  for (const begun = performance.now(); performance.now() - begun < patienceMs; await pause(25)) {
    if (isDeepStrictEqual(last, expected)) return
    last = await read()
  }
  assert.deepEqual(last, expected)
}
