import { newId } from '../../packages/server/src/lib/object-id.js'
import type { TestApi } from '../../test/support/api.js'
import { guide } from './harbour.js'

/** One record of each kind, by the name of its list in the dashboard's addresses. */
export type Shown = Readonly<Record<string, string>>

/** Adds feeds, video sources and a webhook: what the channel exports, imports and reports. */
export async function addExchange(api: TestApi, playlist_id: string): Promise<Shown> {
  const { feeds, feed_keys, video_sources, webhooks } = api.as('admin')
  const { _id: source } = await video_sources.create({
    type: 'mrss',
    name: 'Films of the north',
    url: 'https://films.example.org/mrss.xml',
  })
  await api.database.db`update video_sources set status = 'ready', refreshed_at = now() where _id = ${source}`
  const { _id: feed } = await feeds.create({ playlist_id, title: 'By the sea, for partners' })
  await feed_keys.create(feed, { name: 'Coast TV' })
  const { _id: webhook } = await webhooks.create({
    url: 'https://hooks.example.org/zoetrope',
    events: ['video.*'],
  })
  return { 'video-sources': source, feeds: feed, webhooks: webhook }
}

/** Adds a program guide whose file has been read. */
export async function addGuide(api: TestApi): Promise<string> {
  const { _id, site_id } = await api.as('admin').program_guides.create({
    name: 'Harbour TV',
    url: 'https://guide.example.com/harbour.xml',
    language: ['en'],
    time_zone: 'Europe/Oslo',
  })
  const hour = 3_600_000
  const begin = Math.floor(Date.now() / hour) * hour
  for (const [index, [title, subtitle]] of guide.entries()) {
    const [start, end] = [index, index + 1].map((at) => new Date(begin + at * hour))
    await api.database.db`
      insert into program_guide_entries (_id, site_id, program_guide_id, title, subtitle, duration, start_time, end_time,
        start_time_with_offset, end_time_with_offset, time_zone)
      values (${newId()}, ${site_id}, ${_id}, ${title}, ${subtitle}, 3600, ${start as Date}, ${end as Date},
        ${(start as Date).toISOString()}, ${(end as Date).toISOString()}, 'Europe/Oslo')
    `
  }
  await api.database.db`
    update program_guides set status = 'synced', refreshed_at = now(), program_guide_entry_count = ${guide.length}
    where _id = ${_id}
  `
  return _id
}
