import { actingAs } from '../db/acting-as.js'
import type { Database } from '../db/database.js'
import type { Mailer } from '../lib/message.js'
import type { Sealer } from '../lib/sealing.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import type { Job } from '../queue/job.js'

/** What a job may use. */
export interface JobContext {
  readonly database: Database
  readonly sealer: Sealer
  readonly mailer: Pick<Mailer, 'send'>
  readonly media: MediaParts
  /** Public address of the API and the dashboard, for links in mails to publishers. */
  readonly apiUrl: string
  /** Public address of the sign-in pages, for links in mails to viewers. */
  readonly loginUrl: string
  /** Public address of the player and of subtitles. */
  readonly playerUrl: string
  /** Public address of segments and pictures. */
  readonly mediaUrl: string
  /** How many days events are kept. */
  readonly eventDays: number
  /** Aborts when the process is to end: long work stops, and is begun again later. */
  readonly signal?: AbortSignal
  readonly log: Record<'info' | 'warn', (facts: object, message: string) => void>
}

/** A job, as which it changes records. */
export const defineJob = <Payload>(job: Job<Payload, JobContext>): Job<Payload, JobContext> => ({
  ...job,
  run: (payload, context) =>
    job.run(payload, { ...context, database: actingAs(context.database, { name: `job ${job.name}` }) }),
})
