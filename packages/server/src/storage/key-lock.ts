/**
 * Waits until nobody else changes objects of these keys or prefixes, in any process, and keeps others waiting until
 * it is released.
 */
export type KeyLock = (keys: readonly string[]) => Promise<Release>
export type Release = () => Promise<void>

/** Runs `work` with the lock. */
export async function locked<T>(lock: KeyLock, keys: readonly string[], work: () => Promise<T>): Promise<T> {
  const release = await lock(keys)
  try {
    return await work()
  } finally {
    await release()
  }
}

/**
 * Writes an object with the lock, which is taken only when the whole body has arrived: an object becomes visible after
 * that, and a body can take hours. `check` runs with the lock and may still refuse.
 */
export async function lockedAtEnd<T>(
  lock: KeyLock,
  key: string,
  body: AsyncIterable<Uint8Array>,
  write: (body: AsyncIterable<Uint8Array>) => Promise<T>,
  check: () => Promise<void> = async () => {},
): Promise<T> {
  let isOver = false
  let release: Release | undefined
  async function* guarded() {
    yield* body
    const taken = await lock([key])
    // The write was given up while it waited.
    if (isOver) return taken()
    release = taken
    await check()
  }
  try {
    return await write(guarded())
  } finally {
    isOver = true
    await release?.()
  }
}
