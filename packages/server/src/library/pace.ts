import { setTimeout as delay } from 'node:timers/promises'

export type BytePace = (body: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>

/** Lets this many bytes through in a second, over all bodies together. */
export function createPace(bytesPerSecond: number, signal?: AbortSignal): BytePace {
  let freeAt = performance.now()
  return async function* paced(body) {
    for await (const chunk of body) {
      const now = performance.now()
      freeAt = Math.max(freeAt, now) + (chunk.byteLength / bytesPerSecond) * 1000
      yield chunk
      const wait = freeAt - performance.now()
      if (wait > 5) await delay(wait, undefined, signal ? { signal } : {})
    }
  }
}

const units: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9, b: 1 }

/** Reads a rate such as 50MB/s; undefined if it is none. */
export function readRate(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,6}(?:\.\d+)?)\s*([kmg]?b)(?:\/s)?$/i.exec(text.trim()) ?? []
  const rate = Number(number) * (units[unit?.toLowerCase() ?? ''] ?? 0)
  return rate > 0 ? rate : undefined
}
