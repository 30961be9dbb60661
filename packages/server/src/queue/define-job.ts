import type { Database } from '../db/database.js'

/** What a job may use. */
export interface JobContext {
  readonly database: Database
  readonly log: { info(facts: object, message: string): void }
}

/** A name, how often it is tried, perhaps when it runs by itself, and a function that is safe to run twice. */
export interface Job<Payload = unknown> {
  readonly name: string
  readonly attempts: number
  /** Minute, hour, day, month, weekday: as in a crontab, in UTC. */
  readonly every?: string
  readonly run: (payload: Payload, context: JobContext) => Promise<void>
}

export const defineJob = <Payload>(job: Job<Payload>): Job<Payload> => job
