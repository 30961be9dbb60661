import { setTimeout as delay } from 'node:timers/promises'
import type { Postmaster } from './postmaster.js'

const shortestPause = 100
const longestPause = 2_000
const patience = 20_000

/** Starts PostgreSQL again whenever it ends, until `stop` is called. */
export function keepRunning(
  first: Postmaster,
  launch: () => Promise<Postmaster>,
  log: (line: string) => void,
): { stop(): Promise<void> } {
  let current = first
  const stopping = new AbortController()
  // An exit that skips `stop`, such as an uncaught exception, should not leave PostgreSQL behind.
  const onExit = () => current.signal('SIGINT')
  process.once('exit', onExit)

  async function watch(): Promise<void> {
    let pause = shortestPause
    while (!stopping.signal.aborted) {
      const since = Date.now()
      const how = await current.ended
      if (stopping.signal.aborted) return
      log(`PostgreSQL has ended unexpectedly (${how}); starting it again.`)
      if (Date.now() - since > longestPause) pause = shortestPause
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => {})
      pause = Math.min(pause * 2, longestPause)
      if (!stopping.signal.aborted) current = await launch().catch(neverStarted)
    }
    await end(current)
  }

  const watching = watch()
  return {
    async stop() {
      stopping.abort()
      await end(current)
      await watching
      process.removeListener('exit', onExit)
    },
  }
}

/** A start that failed before there was a process counts as one that ended at once. */
function neverStarted(error: Error): Postmaster {
  return { pid: undefined, ended: Promise.resolve(error.message), signal: () => {} }
}

/** A fast shutdown. An immediate one after a while costs nothing but a recovery at the next start. */
export async function end(postmaster: Postmaster): Promise<void> {
  postmaster.signal('SIGINT')
  const inTime = await Promise.race([
    postmaster.ended.then(() => true),
    delay(patience, false, { ref: false }),
  ])
  if (inTime) return
  postmaster.signal('SIGQUIT')
  await postmaster.ended
}
