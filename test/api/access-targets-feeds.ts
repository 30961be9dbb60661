import type { Make, Target } from './access-targets.js'

const guide = {
  name: 'Target',
  url: 'https://guides.example/one.xml',
  language: ['en'],
  time_zone: 'Europe/Paris',
} as const

/** How guides and feeds come about on which an operation would succeed. */
export const feedMakers: Readonly<Record<string, Make>> = {
  async program_guide({ channel, name }): Promise<Partial<Target>> {
    const { _id } = await channel.as('admin').program_guides.create({ ...guide, language: ['en'] })
    return { id: _id, fields: name === 'create' ? guide : name === 'update' ? { name: 'Changed' } : {} }
  },
  async program_guide_entry({ channel }) {
    const { _id } = await channel.as('admin').program_guides.create({ ...guide, language: ['en'] })
    return { parentId: _id }
  },
}
