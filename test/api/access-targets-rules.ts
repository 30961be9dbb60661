import { randomUUID } from 'node:crypto'
import type { Make, Target } from './access-targets.js'

/** How rules come about on which an operation would succeed. */
export const ruleMakers: Readonly<Record<string, Make>> = {
  async video_content_rule({ channel, name }): Promise<Partial<Target>> {
    const admin = channel.as('admin')
    const { _id: parentId } = await admin.videos.create({ title: 'Target' })
    if (name === 'create') return { parentId, fields: { name: randomUUID() } }
    const { _id } = await admin.video_content_rules.create(parentId, {})
    return { parentId, id: _id, fields: name === 'update' ? { name: 'Changed' } : {} }
  },
}
