import { defineJob } from './define-job.js'

/** Adds the counts of the servers to the videos. Once a minute, because every write invalidates kept lists. */
export const sumRequests = defineJob<unknown>({
  name: 'sum-requests',
  attempts: 1,
  every: '* * * * *',
  async run(_payload, { database: { db } }) {
    await db`
      with taken as (
        delete from video_requests returning site_id, video_id, requests
      ), sums as (
        select site_id, video_id, sum(requests) as requests from taken group by 1, 2
      ), counted as (
        select videos.site_id, videos._id, sums.requests from videos
        join sums on sums.site_id = videos.site_id and sums.video_id = videos._id
        order by 1, 2 for update of videos
      )
      update videos set request_count = least(request_count + counted.requests, 2147483647)
      from counted where videos.site_id = counted.site_id and videos._id = counted._id
    `
  },
})
