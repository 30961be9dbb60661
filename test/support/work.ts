import assert from 'node:assert/strict'

/** Time on the processor, which does not grow when the machine is busy with something else. */
function cpuMs(work: () => void): number {
  const begun = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}

const least = (counts: number, measure: () => number): number =>
  Math.min(...Array.from({ length: counts }, measure))

/** Below this, what is measured is the clock and the collector of garbage. */
const measurableMs = 15

/**
 * Asserts that the work grows with the size and not with its square: four times the input may take eight times as long,
 * where a square would take sixteen. Small inputs are enlarged until they can be measured.
 */
export function assertLinear(work: (size: number) => void, size: number): void {
  let small = size
  while (least(2, () => cpuMs(() => work(small))) < measurableMs && small < size * 256) small *= 4
  const before = least(4, () => cpuMs(() => work(small)))
  const after = least(4, () => cpuMs(() => work(small * 4)))
  assert.ok(after < before * 8, `${small} took ${before} ms, ${small * 4} took ${after} ms`)
}
