import { defineJob } from './define-job.js'

const atOnce = 20_000

/** Adds up the plays that were reported since the last run, each second of each play once, and deletes old reports. */
export const sumPlays = defineJob<unknown>({
  name: 'sum-plays',
  attempts: 1,
  every: '* * * * *',
  async run(_payload, { database: { db }, signal }) {
    for (let summed = atOnce; summed === atOnce && !signal?.aborted; ) {
      const { count } = await db`
        with due as materialized (
          select * from play_reports where is_due
          order by site_id, video_id, play limit ${atOnce} for update
        ), sums as (
          select site_id, video_id, date_trunc('day', began_at, 'UTC') as date, device,
            count(*) filter (where counted_seconds is null) as plays,
            count(*) filter (where ended and not counted_end) as finished,
            sum(watched_seconds - coalesce(counted_seconds, 0)) as watched_seconds
          from due group by 1, 2, 3, 4
        ), added as (
          insert into plays as kept (_id, site_id, video_id, date, device, plays, finished, watched_seconds)
          select id_of(site_id, now(), concat_ws(' ', video_id, extract(epoch from date), device)), sums.* from sums
          order by site_id, video_id, date, device
          on conflict on constraint plays_once do update set
            plays = kept.plays + excluded.plays,
            finished = kept.finished + excluded.finished,
            watched_seconds = kept.watched_seconds + excluded.watched_seconds,
            updated_at = now()
        )
        update play_reports as report set counted_seconds = due.watched_seconds, counted_end = due.ended
        from due
        where report.site_id = due.site_id and report.video_id = due.video_id and report.play = due.play
      `
      summed = count
    }
    // By then every address at which the same play could be reported again has expired.
    await db`delete from play_reports where began_at < now() - interval '1 day' and not is_due`
  },
})
