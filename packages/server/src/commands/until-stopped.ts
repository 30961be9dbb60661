import type { Config } from '../config.js'
import { isLateWrite, isLostStatement } from '../db/late-write.js'
import { type Log, openLog } from './log.js'

type Close = () => Promise<void> | void

/** Resolves at the first Ctrl-C or SIGTERM. Later ones change nothing: the first is being obeyed. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
  })
}

/**
 * Opens a process's parts, and keeps them open until it is asked to stop; then, or when one cannot be opened, closes them,
 * the last one first.
 */
export async function untilStopped(
  config: Config,
  asked: Promise<void>,
  open: (log: Log, onClose: (close: Close) => void) => Promise<void>,
): Promise<never> {
  const log = openLog(config, process.stdout.isTTY === true)
  process.on('uncaughtException', (err) => {
    if (isLateWrite(err) || isLostStatement(err))
      return log.logger.warn({ err }, 'a connection to the database was lost')
    process.stderr.write(`${err.stack}\n`)
    process.exit(1)
  })
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
