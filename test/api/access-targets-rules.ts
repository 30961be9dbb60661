import { randomUUID } from 'node:crypto'
import type { TestChannel } from '../support/api.js'
import type { Make, Target } from './access-targets.js'

type On = 'video_content_rules' | 'playlist_content_rules' | 'category_content_rules'

/** Creates a rule on a new record. */
const ruleOn =
  (rules: On, parentOf: (channel: TestChannel) => Promise<{ readonly _id: string }>): Make =>
  async ({ channel, name }): Promise<Partial<Target>> => {
    const { _id: parentId } = await parentOf(channel)
    if (name === 'create') return { parentId, fields: { name: randomUUID() } }
    const { _id } = await channel.as('admin')[rules].create(parentId, {})
    return { parentId, id: _id, fields: name === 'update' ? { name: 'Changed' } : {} }
  }

/** Creates rules on which an operation would succeed. */
export const ruleMakers: Readonly<Record<string, Make>> = {
  video_content_rule: ruleOn('video_content_rules', (channel) =>
    channel.as('admin').videos.create({ title: 'Target' }),
  ),
  playlist_content_rule: ruleOn('playlist_content_rules', (channel) =>
    channel.as('admin').playlists.create({ title: 'Target' }),
  ),
  category_content_rule: ruleOn('category_content_rules', (channel) =>
    channel.as('admin').categories.create({ title: randomUUID() }),
  ),
  async content_rule_profile({ channel, name }): Promise<Partial<Target>> {
    if (name === 'create') return { fields: { title: 'Target' } }
    const { content_rule_profiles: profiles } = channel.as('admin')
    const { _id } = await profiles.create({ title: 'Target' })
    return { id: _id, fields: name === 'update' ? { description: 'Changed' } : {} }
  },
  geoip: async () => ({}),
}
