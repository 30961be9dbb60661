import { limits } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { fetchDocument } from '../fetching/documents/fetch-document.js'
import { type Programme, readProgrammes } from '../fetching/documents/xmltv.js'
import { FetchFailed, FetchRefused } from '../fetching/fetch-error.js'
import { newId } from '../lib/object-id.js'
import { findTimeZone, type TimeZone } from '../lib/time-zone.js'
import { defineJob } from './define-job.js'

interface GuideKey {
  readonly site_id: string
  readonly guide_id: string
}

interface Guide {
  readonly url: string
  readonly channel: string | null
  readonly language: readonly string[]
  readonly time_zone: string
}

const keptDays = 7

/** Reads the file of a guide, and replaces its entries with those of the file. */
export const refreshGuide = defineJob<GuideKey>({
  name: 'refresh-guide',
  attempts: 5,
  waits: true,
  async run(key, { database, media, signal }) {
    const guide = await findGuide(database.db, key)
    const zone = guide && findTimeZone(guide.time_zone)
    if (!guide || !zone) return
    const finish = (work: (tx: Db) => Promise<void>) =>
      database.transaction(async (tx) => {
        const now = await findGuide(tx, key, true)
        // The address was changed meanwhile; another run reads the new file.
        if (now && JSON.stringify(now) === JSON.stringify(guide)) await work(tx)
      })
    try {
      const root = await fetchDocument(media, guide.url, signal)
      const programmes = readProgrammes(root, { channel: guide.channel, languages: guide.language, zone })
      await finish((tx) => keep(tx, key, zone, programmes))
    } catch (error) {
      if (!(error instanceof FetchRefused || error instanceof FetchFailed)) throw error
      await finish((tx) => fail(tx, key, error))
    }
  },
})

async function findGuide(
  db: Db,
  { site_id, guide_id }: GuideKey,
  isHeld = false,
): Promise<Guide | undefined> {
  const [guide] = await db<Guide[]>`
    select url, channel, language, time_zone from program_guides
    where site_id = ${site_id} and _id = ${guide_id} ${isHeld ? db`for update` : db``}
  `
  return guide
}

async function fail(tx: Db, { site_id, guide_id }: GuideKey, { message }: Error): Promise<void> {
  await tx`
    update program_guides set status = 'failed', status_reason = ${message.slice(0, 2000)}, refreshed_at = now(),
      updated_at = now()
    where site_id = ${site_id} and _id = ${guide_id}
  `
}

/** The file replaces the entries from its first one on. Past entries are kept for some days. */
async function keep(tx: Db, { site_id, guide_id }: GuideKey, zone: TimeZone, all: readonly Programme[]) {
  const oldest = Date.now() - keptDays * 24 * 3600 * 1000
  const programmes = all.filter(({ end }) => end > oldest).slice(0, limits.program_guide_entries.value)
  const rows = programmes.map((each) => ({ ...rowOf(each, zone), _id: newId() }))
  const first = programmes[0] ? new Date(programmes[0].start) : null
  await tx`
    delete from program_guide_entries where site_id = ${site_id} and program_guide_id = ${guide_id} and (
      end_time < ${new Date(oldest)} or start_time >= ${first}
        and start_time <> all(${rows.map(({ start_time }) => start_time)}::timestamptz[])
    )
  `
  // As text, because the driver would encode a parameter of type json a second time.
  await tx`
    insert into program_guide_entries (site_id, program_guide_id, _id, title, subtitle, description, category,
      duration, start_time, end_time, start_time_with_offset, end_time_with_offset, time_zone)
    select ${site_id}, ${guide_id}, _id, title, subtitle, description, category,
      duration, start_time, end_time, start_time_with_offset, end_time_with_offset, ${zone.name}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as row (
      _id text, title text, subtitle text, description text, category text[], duration integer,
      start_time timestamptz, end_time timestamptz, start_time_with_offset text, end_time_with_offset text
    )
    on conflict (site_id, program_guide_id, start_time) do update set title = excluded.title,
      subtitle = excluded.subtitle, description = excluded.description, category = excluded.category,
      duration = excluded.duration, end_time = excluded.end_time,
      start_time_with_offset = excluded.start_time_with_offset,
      end_time_with_offset = excluded.end_time_with_offset, time_zone = excluded.time_zone, updated_at = now()
    where (program_guide_entries.title, program_guide_entries.subtitle, program_guide_entries.description,
      program_guide_entries.category, program_guide_entries.end_time, program_guide_entries.time_zone)
      is distinct from (excluded.title, excluded.subtitle, excluded.description, excluded.category,
        excluded.end_time, excluded.time_zone)
  `
  await tx`
    update program_guides set status = 'synced', status_reason = null, refreshed_at = now(), updated_at = now(),
      program_guide_entry_count = (
        select count(*) from program_guide_entries where site_id = ${site_id} and program_guide_id = ${guide_id}
      )
    where site_id = ${site_id} and _id = ${guide_id}
  `
}

const rowOf = ({ start, end, ...said }: Programme, zone: TimeZone) => ({
  ...said,
  duration: Math.round((end - start) / 1000),
  start_time: new Date(start).toISOString(),
  end_time: new Date(end).toISOString(),
  start_time_with_offset: zone.written(start),
  end_time_with_offset: zone.written(end),
})
