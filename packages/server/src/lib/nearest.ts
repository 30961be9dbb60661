/** The candidate that a misspelt name most likely means; undefined if none is close. */
export function nearest(name: string, candidates: Iterable<string>, mostWrong?: number): string | undefined {
  const asked = plain(name).slice(0, longest)
  let best: string | undefined
  let least = (mostWrong ?? (asked.length < 4 ? 1 : asked.length < 9 ? 2 : 3)) + 1
  for (const candidate of candidates) {
    const other = plain(candidate)
    if (Math.abs(other.length - asked.length) >= least) continue
    const distance = distanceOf(asked, other)
    if (distance < least) [best, least] = [candidate, distance]
  }
  return best
}

/** The end of a sentence about a misspelt name. */
export function meant(name: string, candidates: Iterable<string>): string {
  const near = nearest(name, candidates)
  return near === undefined ? '' : ` (did you mean ${near}?)`
}

const longest = 60
/** `friendlyTitle` means `friendly_title`. */
const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9.!]/g, '')

/** How many letters have to be added, removed, replaced or swapped with their neighbour. */
function distanceOf(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) row.push(Math.min(...stepsTo(a, b, i, j, rows, row)))
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}

/** The ways to make the first `i` letters of one into the first `j` of the other. */
function stepsTo(a: string, b: string, i: number, j: number, rows: number[][], row: number[]): number[] {
  const cost = (steps: number | undefined, more: number) => (steps ?? Number.POSITIVE_INFINITY) + more
  const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
  return [
    cost(rows[i - 1]?.[j - 1], a[i - 1] === b[j - 1] ? 0 : 1),
    cost(rows[i - 1]?.[j], 1),
    cost(row[j - 1], 1),
    cost(isSwapped ? rows[i - 2]?.[j - 2] : undefined, 1),
  ]
}
