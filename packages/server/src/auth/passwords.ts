import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { hash } from '@node-rs/argon2'
import { busy } from '../errors.js'
import { createTurns, type InTurn } from '../lib/in-turn.js'
import type { PasswordOrder } from './password-thread.js'

/** The work of one hash of argon2id. */
export interface PasswordCost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** OWASP's recommended cost. */
const cost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The hash of random bytes that were thrown away, at the same cost. */
const nobody =
  '$argon2id$v=19$m=19456,t=2,p=1$0/Y5wdwDKQp5e2YoXyMZeQ$FjcaiT7m4kT0wOdHkQLgjkP1+LQ68drncybBbvkNTcs'

/** Keyboards encode é in two ways; both must be the same password. */
const typed = (password: string) => password.normalize('NFC')

/** Hashes one password without the thread pool, for short-lived commands. */
export const hashPassword = (password: string, chosen: PasswordCost = cost): Promise<string> =>
  hash(typed(password), chosen)

/** Five groups that can be read aloud, about 100 bits. */
export function newPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const letters = Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length])
  return (letters.join('').match(/.{4}/g) ?? []).join('-')
}

export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Whether the password matches the hash. Without a hash (unknown account) it takes as long and returns
   * false.
   */
  verify(hash: string | undefined, password: string): Promise<boolean>
  /** Limits parallel checks per origin, so that no client fills the queue for everyone. */
  readonly inTurn: InTurn
  close(): Promise<void>
}

/** Fewer than the allowed wrong passwords, because attempts under way count as wrong until they succeed. */
const atOnce = 8

interface PasswordJob {
  readonly order: PasswordOrder
  readonly resolve: (result: never) => void
  readonly reject: (error: Error) => void
}

/**
 * Threads of the lowest priority, started on first use: sign-ins take only the cores nothing else needs. With
 * more than `waiting` jobs in the queue, the next is refused.
 */
export function openPasswords({
  threads: most = availableParallelism(),
  waiting = 256,
  cost: chosen = cost,
}: {
  threads?: number
  waiting?: number
  /** For tests that are not about it, which hash thousands of passwords. */
  cost?: PasswordCost
} = {}): Passwords {
  const line: PasswordJob[] = []
  const threads = new Set<Worker>()
  const idle: Worker[] = []
  const busyWith = new Map<Worker, PasswordJob>()
  let closed = false

  function begin(): Worker {
    const thread = startThread(chosen)
    threads.add(thread)
    thread.on('message', (result) => {
      busyWith.get(thread)?.resolve(result as never)
      rest(thread)
    })
    let reason = new Error('The thread that worked on a password ended.')
    thread.on('error', (error) => {
      reason = error
    })
    thread.on('exit', () => {
      threads.delete(thread)
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1)
      busyWith.get(thread)?.reject(reason)
      busyWith.delete(thread)
      next()
    })
    return thread
  }

  function rest(thread: Worker): void {
    busyWith.delete(thread)
    thread.unref()
    idle.push(thread)
    next()
  }

  function next(): void {
    if (closed || line.length === 0) return
    const thread = idle.pop() ?? (threads.size < most ? begin() : undefined)
    const job = thread && line.shift()
    if (!job) return
    busyWith.set(thread, job)
    // A running job keeps the process alive; an idle thread does not.
    thread.ref()
    thread.postMessage(job.order)
  }

  const run = <T>(order: PasswordOrder): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (closed) return reject(new Error('The password threads were closed.'))
      if (line.length >= waiting && busyWith.size >= most) return reject(busy())
      line.push({ order, resolve, reject })
      next()
    })

  return {
    inTurn: createTurns(atOnce, waiting * 2, busy),
    hash: (password) => run<string>({ password: typed(password) }),
    async verify(known, password) {
      const same = await run<boolean>({ password: typed(password), hash: known ?? nobody })
      return same && known !== undefined
    },
    async close() {
      closed = true
      for (const { reject } of line.splice(0)) reject(new Error('The password threads were closed.'))
      await Promise.all([...threads].map((thread) => thread.terminate()))
    },
  }
}

function startThread(workerData: PasswordCost): Worker {
  // The extension shows whether this is compiled code or source.
  const thread = `./password-thread${extname(import.meta.url)}`
  return new Worker(new URL(thread, import.meta.url), { workerData })
}
