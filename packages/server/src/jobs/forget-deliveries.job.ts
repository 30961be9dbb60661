import { defineJob } from './define-job.js'

/** How many days deliveries of webhooks are kept. */
const days = 30
const mostAtOnce = 5000

/** Deletes old deliveries of webhooks, in small steps. */
export const forgetDeliveries = defineJob<unknown>({
  name: 'forget-deliveries',
  attempts: 1,
  every: '17 * * * *',
  async run(_payload, { database: { db }, signal }) {
    for (let count = mostAtOnce; count === mostAtOnce && !signal?.aborted; )
      ({ count } = await db`
        delete from webhook_deliveries where (site_id, webhook_id, _id) in (
          select site_id, webhook_id, _id from webhook_deliveries
          where created_at < now() - make_interval(days => ${days}) limit ${mostAtOnce}
        )
      `)
  },
})
