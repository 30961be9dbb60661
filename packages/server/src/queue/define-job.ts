import type { Database } from '../db/database.js'
import type { Mailer } from '../lib/message.js'
import type { Sealer } from '../lib/sealing.js'

/** What a job may use. */
export interface JobContext {
  readonly database: Database
  readonly sealer: Sealer
  readonly mailer: Pick<Mailer, 'send'>
  /** Public address of the sign-in pages, for links in mails. */
  readonly loginUrl: string
  readonly log: { info(facts: object, message: string): void }
}

/** A name, how often it is tried, perhaps when it runs by itself, and a function that is safe to run twice. */
export interface Job<Payload = unknown> {
  readonly name: string
  readonly attempts: number
  /** Minute, hour, day, month, weekday: as in a crontab, in UTC. */
  readonly every?: string
  // A method, so that jobs with payloads of their own fit into one list; `enqueue` sees to it that each gets its own.
  run(payload: Payload, context: JobContext): Promise<void>
}

export const defineJob = <Payload>(job: Job<Payload>): Job<Payload> => job
