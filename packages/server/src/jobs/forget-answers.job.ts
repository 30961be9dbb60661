import { defineJob } from './define-job.js'

/** Deletes the answers that were kept for a day, in case their requests are repeated. */
export const forgetAnswers = defineJob<unknown>({
  name: 'forget-answers',
  attempts: 1,
  every: '7 * * * *',
  async run(_payload, { database: { db } }) {
    await db`delete from idempotent_requests where created_at < now() - interval '1 day'`
  },
})
