import { defineJob } from './define-job.js'

const batch = 10_000

/** Deletes empty buckets of the rate limits. */
export const forgetAttempts = defineJob<unknown>({
  name: 'forget-attempts',
  attempts: 1,
  every: '37 * * * *',
  async run(_payload, { database: { db } }) {
    let forgotten = batch
    while (forgotten === batch) {
      const result = await db`
        delete from attempts where key in (
          select key from attempts where forgotten_at <= now() limit ${batch} for update skip locked
        )
      `
      forgotten = result.count
    }
  },
})
