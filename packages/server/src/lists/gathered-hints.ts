/** Sends names a few milliseconds after the first was added; while others follow, all of them together at intervals. */
export interface GatheredHints {
  add(name: string): void
  close(): void
}

const soonMs = 5
/** A statement for each of a thousand writes a second would cost as much as a tenth of the writes. */
const apartMs = 25

export function gatherHints(send: (names: readonly string[]) => void): GatheredHints {
  const waiting = new Set<string>()
  let sending: NodeJS.Timeout | undefined
  let sentAt = 0
  const flush = () => {
    const names = [...waiting]
    waiting.clear()
    sending = undefined
    sentAt = performance.now()
    send(names)
  }
  return {
    add(name) {
      waiting.add(name)
      sending ??= setTimeout(flush, Math.max(soonMs, sentAt + apartMs - performance.now())).unref()
    },
    close: () => clearTimeout(sending),
  }
}
