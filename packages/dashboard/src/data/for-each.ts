/** The number of concurrent requests. */
const together = 4

/** Runs a function for each item, a few at a time. It must not throw. */
export async function forEach<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = items.values()
  const work = async () => {
    for (const item of waiting) await run(item)
  }
  await Promise.all(Array.from({ length: together }, work))
}
