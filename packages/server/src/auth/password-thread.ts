import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { hashSync, type Options, verifySync } from '@node-rs/argon2'

/** A password to hash, or to compare with `hash` if given. */
export interface PasswordOrder {
  readonly password: string
  readonly hash?: string
}

// On Linux this lowers the priority of the calling thread only; elsewhere it would affect the whole process.
if (process.platform === 'linux') {
  try {
    setPriority(19)
  } catch {
    // Works without the permission too.
  }
}

// An exception here ends the thread; the caller gets an error and a new thread takes its place.
parentPort?.on('message', ({ password, hash }: PasswordOrder) => {
  parentPort?.postMessage(
    hash === undefined ? hashSync(password, workerData as Options) : verifySync(hash, password),
  )
})
