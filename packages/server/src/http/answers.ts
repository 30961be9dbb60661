import type { Credential, Principal } from '../auth/principals.js'

/** An answer as bytes, with all that must still hold for it to be sent again. */
export interface KeptAnswer {
  readonly bytes: Buffer
  readonly type: string
  readonly etag: string
  readonly list: string
  readonly version: number
  readonly credential: Credential
  readonly principal: Principal
}

export interface KeptAnswers {
  get(key: string): KeptAnswer | undefined
  set(key: string, answer: KeptAnswer): void
}

/** Answers to recent lists, the least recently used given up first; together at most `maxBytes`. */
export function keepAnswers(maxBytes: number): KeptAnswers {
  const kept = new Map<string, KeptAnswer>()
  let bytes = 0
  const sizeOf = (key: string, answer: KeptAnswer) => answer.bytes.length + key.length * 2 + 500
  const drop = (key: string) => {
    const answer = kept.get(key)
    if (!answer) return
    kept.delete(key)
    bytes -= sizeOf(key, answer)
  }
  return {
    get(key) {
      const answer = kept.get(key)
      if (answer) {
        kept.delete(key)
        kept.set(key, answer)
      }
      return answer
    },
    set(key, answer) {
      drop(key)
      if (sizeOf(key, answer) > maxBytes / 10) return
      kept.set(key, answer)
      bytes += sizeOf(key, answer)
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes) break
        drop(oldest)
      }
    },
  }
}

/** The same caller, as far as what it is shown goes. */
export const sameCaller = (a: Principal, b: Principal): boolean =>
  a === b ||
  (a.kind === b.kind && a.siteId === b.siteId && a.appId === b.appId && a.firstPage === b.firstPage)
