import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { hash } from '@node-rs/argon2'
import { busy } from '../errors.js'
import { createTurns, type InTurn } from '../lib/in-turn.js'
import type { Order } from './password-thread.js'

/** argon2id at OWASP's cost. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Of the same cost, made of random bytes that nobody kept. */
const nobody =
  '$argon2id$v=19$m=19456,t=2,p=1$0/Y5wdwDKQp5e2YoXyMZeQ$FjcaiT7m4kT0wOdHkQLgjkP1+LQ68drncybBbvkNTcs'

/** Keyboards write é in two ways; both are the same password. */
const typed = (password: string) => password.normalize('NFC')

/** Hashes one password without a pool of threads, for commands that end soon. */
export const hashPassword = (password: string): Promise<string> => hash(typed(password), cost)

/** Five groups that can be read aloud, about 100 bits. */
export function newPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const letters = Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length])
  return (letters.join('').match(/.{4}/g) ?? []).join('-')
}

export interface Passwords {
  hash(password: string): Promise<string>
  /** Whether it is the password of this hash. Without a hash (nobody of that name) it takes as long and is false. */
  verify(hash: string | undefined, password: string): Promise<boolean>
  /** Lets a few at a time of one origin have passwords checked, so that nobody fills the line for everyone. */
  readonly inTurn: InTurn
  close(): Promise<void>
}

/** Fewer than wrong passwords are forgiven: attempts under way count as wrong until they are found right. */
const atOnce = 8

interface Job {
  readonly order: Order
  readonly resolve: (result: never) => void
  readonly reject: (error: Error) => void
}

/**
 * Threads of the lowest priority, begun when they are first needed: however many people sign in at once, they use the
 * cores that nothing else wants. Beyond `waiting` jobs in line, the next one is refused.
 */
export function openPasswords({
  threads: most = availableParallelism(),
  waiting = 256,
}: {
  threads?: number
  waiting?: number
} = {}): Passwords {
  const line: Job[] = []
  const threads = new Set<Worker>()
  const idle: Worker[] = []
  const busyWith = new Map<Worker, Job>()
  let closed = false

  function begin(): Worker {
    const thread = startThread()
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
    // Work under way keeps the process alive, waiting for work does not.
    thread.ref()
    thread.postMessage(job.order)
  }

  const run = <T>(order: Order): Promise<T> =>
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

function startThread(): Worker {
  // The ending tells whether we run compiled or as we are written.
  const thread = `./password-thread${extname(import.meta.url)}`
  return new Worker(new URL(thread, import.meta.url), { workerData: cost })
}
