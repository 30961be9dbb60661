import assert from 'node:assert/strict'

/** Returns the processor time of the work, which does not grow when the machine is busy with something else. */
function cpuMs(work: () => void): number {
  const begun = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}

const least = (counts: number, measure: () => number): number =>
  Math.min(...Array.from({ length: counts }, measure))

/** Below this, the measurement is dominated by the clock and garbage collection. */
const measurableMs = 4

/**
 * Asserts that work grows linearly with the size, not quadratically: sixteen times the input may take 64 times as long,
 * where quadratic work would take 256 times. Small inputs are enlarged until they can be measured. A cold cache or
 * garbage collection can make linear work look worse once, but nothing makes quadratic work look linear, so one good
 * measurement of three is enough.
 */
export function assertLinear(work: (size: number) => void, size: number): void {
  let small = size
  while (least(2, () => cpuMs(() => work(small))) < measurableMs && small < size * 256) small *= 4
  const seen: string[] = []
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const before = least(4, () => cpuMs(() => work(small)))
    const after = least(2, () => cpuMs(() => work(small * 16)))
    if (after < before * 64) return
    seen.push(`${small} took ${before} ms, ${small * 16} took ${after} ms`)
  }
  assert.fail(seen.join('; '))
}

/**
 * The same for asynchronous work of limited size, such as a request: eight times the input may take 24 times as long,
 * where quadratic work would take 64 times. One good measurement of three is enough here too.
 */
export async function assertLinearUpTo(
  work: (size: number) => Promise<unknown>,
  most: number,
): Promise<void> {
  const measure = async (size: number) => {
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < 4; round += 1) {
      const begun = process.cpuUsage()
      await work(size)
      const { user, system } = process.cpuUsage(begun)
      best = Math.min(best, (user + system) / 1000)
    }
    // Anything faster than this is fast enough.
    return Math.max(best, 1)
  }
  const seen: string[] = []
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const [before, after] = [await measure(most / 8), await measure(most)]
    if (after < before * 24) return
    seen.push(`${most / 8} took ${before} ms, ${most} took ${after} ms`)
  }
  assert.fail(seen.join('; '))
}
