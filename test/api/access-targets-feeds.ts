import { randomUUID } from 'node:crypto'
import type { TestChannel } from '../support/api.js'
import type { Make, Target } from './access-targets.js'

const guide = {
  name: 'Target',
  url: 'https://guides.example/one.xml',
  language: ['en'],
  time_zone: 'Europe/Paris',
} as const

async function newFeed(channel: TestChannel) {
  const { _id: playlist_id } = await channel.as('admin').playlists.create({ title: randomUUID() })
  return channel.as('admin').feeds.create({ playlist_id })
}

/** Creates guides and feeds on which an operation would succeed. */
export const feedMakers: Readonly<Record<string, Make>> = {
  async feed({ channel, name }): Promise<Partial<Target>> {
    const { _id, playlist_id } = await newFeed(channel)
    return {
      id: _id,
      fields: name === 'create' ? { playlist_id } : name === 'update' ? { title: 'Changed' } : {},
    }
  },
  async feed_key({ channel, name }): Promise<Partial<Target>> {
    const { _id: parentId } = await newFeed(channel)
    if (name === 'create') return { parentId, fields: { name: 'Target' } }
    const { _id } = await channel.as('admin').feed_keys.create(parentId, {})
    return { parentId, id: _id }
  },
  async program_guide({ channel, name }): Promise<Partial<Target>> {
    const { _id } = await channel.as('admin').program_guides.create({ ...guide, language: ['en'] })
    return { id: _id, fields: name === 'create' ? guide : name === 'update' ? { name: 'Changed' } : {} }
  },
  async video_source({ channel, name }): Promise<Partial<Target>> {
    const fields = { type: 'mrss', url: 'https://films.example/feed.xml' } as const
    const { _id } = await channel.as('admin').video_sources.create(fields)
    return { id: _id, fields: name === 'create' ? fields : name === 'update' ? { name: 'Changed' } : {} }
  },
  async program_guide_entry({ channel }) {
    const { _id } = await channel.as('admin').program_guides.create({ ...guide, language: ['en'] })
    return { parentId: _id }
  },
}
