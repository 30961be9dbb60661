import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { hashSync, type Options, verifySync } from '@node-rs/argon2'

/** A password to hash, or with a hash, to compare with it. */
export interface Order {
  readonly password: string
  readonly hash?: string
}

// On Linux this slows down the calling thread alone; elsewhere it would be the whole process.
if (process.platform === 'linux') {
  try {
    setPriority(19)
  } catch {
    // Without the right to step back it works all the same.
  }
}

// What throws here ends the thread; whoever gave the order hears of it and a new thread takes its place.
parentPort?.on('message', ({ password, hash }: Order) => {
  parentPort?.postMessage(
    hash === undefined ? hashSync(password, workerData as Options) : verifySync(hash, password),
  )
})
