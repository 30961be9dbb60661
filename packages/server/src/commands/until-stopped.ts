import type { Config } from '../config/config.js'
import { isDatabaseAway } from '../db/violation.js'
import { type Log, openLog } from './log.js'

type Close = () => Promise<void> | void

/** Resolves at the first Ctrl-C or SIGTERM. Later ones are ignored. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
  })
}

/**
 * A statement that nobody awaits any more, because one beside it failed first, may fail with a lost connection. Other
 * faults end the process.
 */
export function surviveLostConnections(onLost: (error: Error) => void): void {
  process.on('uncaughtException', (error) => {
    if (isDatabaseAway(error)) return onLost(error)
    process.stderr.write(`${error.stack}\n`)
    process.exit(1)
  })
}

/**
 * Opens a process's parts and keeps them open until it is asked to stop. Then, or if one cannot be opened,
 * closes them in reverse order.
 */
export async function untilStopped(
  config: Config,
  asked: Promise<void>,
  open: (log: Log, onClose: (close: Close) => void) => Promise<void>,
): Promise<never> {
  const log = openLog(config, process.stdout.isTTY === true)
  surviveLostConnections((err) => log.logger.warn({ err }, 'a connection to the database was lost'))
  const opened: Close[] = []
  const closeAll = async () => {
    for (const close of opened.reverse()) await close()
  }
  try {
    await open(log, (close) => opened.push(close))
  } catch (error) {
    await closeAll()
    throw error
  }
  await asked
  log.logger.info('stopping')
  await closeAll()
  log.logger.info('stopped')
  log.flush()
  process.exit(0)
}
