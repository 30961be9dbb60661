import { createHash } from 'node:crypto'
import { runningFile } from './running-file.js'

/** The seed of the run's random choices. scripts/test.ts prints it, and accepts it as TEST_SEED. */
export const seed = Number(process.env.TEST_SEED ?? 1)

/**
 * Returns random numbers from 0 to 1 that repeat for the same seed, file and name. The generator is mulberry32: short,
 * and uniform enough for shuffling and choosing.
 */
export function seededRandom(name = ''): () => number {
  let state = createHash('sha256').update(`${seed} ${runningFile()} ${name}`).digest().readUInt32LE()
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns the list in random order. */
export const shuffled = <T>(list: readonly T[], random: () => number): T[] =>
  list
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
