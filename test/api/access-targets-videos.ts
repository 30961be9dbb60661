import { newUnguessableId } from '../../packages/server/src/lib/object-id.js'
import type { TestChannel } from '../support/api.js'
import type { Make, Making, Target, TargetApi } from './access-targets.js'

export const newVideo = async (channel: TestChannel) =>
  (await channel.as('admin').videos.create({ title: 'Target' }))._id

/** Viewers do not see videos that failed. */
export async function withSource({ api, channel }: Making): Promise<string> {
  const id = await newVideo(channel)
  await addFailedSource(api, channel, id)
  await api.database.db`update videos set status = 'ready' where _id = ${id}`
  return id
}

/** Inserts the rows of a film whose processing failed. */
export async function addFailedSource(
  { database: { db } }: TargetApi,
  { channel }: TestChannel,
  video_id: string,
) {
  const source_id = newUnguessableId()
  await db`
    insert into sources (_id, site_id, video_id, file_name, bytes, sha256, status)
    values (${source_id}, ${channel._id}, ${video_id}, 'film.mp4', 9, ${'0'.repeat(64)}, 'failed')
  `
  await db`update videos set status = 'failed', media_source_id = ${source_id} where _id = ${video_id}`
}

/** Changes a video, so that it has a version to restore. */
export async function firstVersion(channel: TestChannel, video_id: string) {
  await channel.as('admin').videos.update(video_id, { title: 'Changed' })
  return { number: 1 }
}

/** Creates nested records of videos on which an operation would succeed. */
export const videoMakers: Readonly<Record<string, Make>> = {
  async video_version({ channel }) {
    const parentId = await newVideo(channel)
    await firstVersion(channel, parentId)
    const [last] = (await channel.as('admin').video_versions.list(parentId)).response
    return { parentId, id: last?._id ?? '' }
  },
  async ad_timing(making): Promise<Partial<Target>> {
    const { channel, name } = making
    const grandparentId = await withSource(making)
    const [source] = (await channel.as('admin').sources.list(grandparentId)).response
    const place = { grandparentId, parentId: source?._id ?? '' }
    if (name === 'create') return { ...place, fields: { time: 1 } }
    const { _id } = await channel.as('admin').ad_timings.create(grandparentId, place.parentId, { time: 2 })
    return { ...place, id: _id, fields: name === 'update' ? { time: 3 } : {} }
  },
  async ad_timings_of_data_source(making) {
    return { parentId: await withSource(making) }
  },
  async subtitle_playlist({ channel, name }): Promise<Partial<Target>> {
    const parentId = await newVideo(channel)
    const fields = { language: 'Spanish', source_url: 'https://media.example/es.m3u8' }
    if (name === 'create') return { parentId, fields }
    await channel.as('admin').subtitle_playlists.create(parentId, fields)
    return { parentId, id: 'es' }
  },
  async audio_track({ channel, name }): Promise<Partial<Target>> {
    const parentId = await newVideo(channel)
    const fields = { language: 'es', file: Buffer.from('Not audio').toString('base64') }
    if (name === 'create') return { parentId, fields }
    const { _id } = await channel.as('admin').audio_tracks.create(parentId, fields)
    return { parentId, id: _id, fields: name === 'update' ? { title: 'Changed' } : {} }
  },
  async self_hosted_source({ channel, name }): Promise<Partial<Target>> {
    const parentId = await newVideo(channel)
    const files = [{ url: 'https://media.example/film.m3u8' }]
    if (name === 'create') return { parentId, fields: { files } }
    const { _id } = await channel.as('admin').self_hosted_sources.create(parentId, { files })
    return { parentId, id: _id, fields: name === 'update' ? { active: false } : {} }
  },
}
