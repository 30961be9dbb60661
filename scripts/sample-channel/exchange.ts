import { newId } from '../../packages/server/src/lib/object-id.js'
import type { TestApi } from '../../test/support/api.js'
import { guide } from './harbour.js'

/** One record of each kind, by the name of its list in the dashboard's addresses. */
export type Shown = Readonly<Record<string, string>>

/** Adds feeds and video sources: what the channel exports and imports. */
export async function addExchange(api: TestApi, playlist_id: string): Promise<Shown> {
  const { feeds, feed_keys, video_sources } = api.as('admin')
  const { _id: source } = await video_sources.create({
    type: 'mrss',
    name: 'Films of the north',
    url: 'https://films.example.org/mrss.xml',
  })
  await api.database.db`update video_sources set status = 'ready', refreshed_at = now() where _id = ${source}`
  const { _id: feed } = await feeds.create({ playlist_id, title: 'By the sea, for partners' })
  await feed_keys.create(feed, { name: 'Coast TV' })
  return { 'video-sources': source, feeds: feed }
}

/** Adds videos in the trash, a key with a name, and a webhook that has received the latest events. */
export async function addDevelopment(api: TestApi): Promise<string> {
  const { webhooks, events, keys, videos } = api.as('admin')
  for (const title of ['Harbour, first cut', 'Sound check'])
    await videos.remove((await videos.create({ title, active: false }))._id)
  await keys.create({ name: 'Nightly backup', scopes: ['*:read'] })
  const { _id: webhook_id, site_id } = await webhooks.create({
    url: 'https://films.example.org/hooks/zoetrope',
    events: ['video.*', 'playlist.*'],
    description: 'Updates the website',
  })
  const { response } = await events.list({ per_page: 100 })
  const sent = response.filter(({ type }) => /^(video|playlist)\./.test(type)).slice(0, 8)
  for (const { _id: event_id, type: event_type, created_at } of sent)
    await api.database.db`
      insert into webhook_deliveries (_id, site_id, webhook_id, event_id, event_type, status, attempt_count,
        response_status, milliseconds, delivered_at, created_at)
      values (${newId()}, ${site_id}, ${webhook_id}, ${event_id}, ${event_type}, 'delivered', 1, 200, 84, ${created_at},
        ${created_at})
    `
  await api.database.db`update webhooks set last_delivered_at = now() where _id = ${webhook_id}`
  return webhook_id
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
