import { defineJob } from './define-job.js'

/** How many days requests are kept, and how many per channel. */
const days = 7
const mostOfChannel = 10_000

/** Deletes old rows of the request log. */
export const forgetRequests = defineJob<unknown>({
  name: 'forget-requests',
  attempts: 1,
  every: '*/10 * * * *',
  async run(_payload, { database: { db } }) {
    await db`delete from request_log where created_at < now() - make_interval(days => ${days})`
    await db`
      delete from request_log using (
        select site_id, (
          select _id from request_log where request_log.site_id = channels._id
          order by _id desc offset ${mostOfChannel} limit 1
        ) as last from channels
      ) as full_ones
      where request_log.site_id = full_ones.site_id and request_log._id <= full_ones.last
    `
  },
})
