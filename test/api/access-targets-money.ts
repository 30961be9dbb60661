import type { TestChannel } from '../support/api.js'
import type { Make, Target } from './access-targets.js'

/** A plan that entitles subscribers to every video. */
export const globalPlan = {
  name: 'All of it',
  amount: '4.90',
  currency: 'USD',
  interval: 'month',
  interval_count: 1,
  entitlement_type: 'global',
  active: true,
} as const

const newPlan = async (channel: TestChannel) => (await channel.as('admin').plans.create(globalPlan))._id

export const newPlaylist = async (channel: TestChannel, fields = {}) =>
  (await channel.as('admin').playlists.create({ title: 'Sold together', ...fields }))._id

/** Creates records about money on which an operation would succeed. */
export const moneyMakers: Readonly<Record<string, Make>> = {
  async plan({ channel, name }): Promise<Partial<Target>> {
    const id = await newPlan(channel)
    if (name === 'create') return { fields: globalPlan }
    return {
      id,
      fields: name.endsWith('_playlists')
        ? { playlist_ids: [await newPlaylist(channel)] }
        : { name: 'Changed' },
    }
  },
  async subscription({ channel, owner, name }): Promise<Partial<Target>> {
    const fields = { consumer_id: owner, plan_id: await newPlan(channel) }
    if (name === 'create') return { fields }
    return { id: (await channel.as('admin').subscriptions.create(fields))._id, fields: {} }
  },
  async transaction({ channel, owner, name }): Promise<Partial<Target>> {
    const admin = channel.as('admin')
    const { _id: video_id } = await admin.videos.create({ title: 'Bought' })
    const fields = { provider: 'third_party', consumer_id: owner, video_id } as const
    if (name === 'create') return { fields }
    return { id: (await admin.transactions.create(fields))._id, fields: { description: 'Changed' } }
  },
  async redemption_code({ channel, owner, name }): Promise<Partial<Target>> {
    const plan = { plan_id: await newPlan(channel) }
    if (name === 'create') return { fields: plan }
    if (name === 'bulk_create') return { fields: { amount: 2, ...plan } }
    const { _id, code } = await channel.as('admin').redemption_codes.create(plan)
    if (name === 'redeem') return { fields: { code, consumer_id: owner } }
    return { id: _id, fields: name === 'update' ? { expiration_date: '2090-01-01T00:00:00Z' } : {} }
  },
  async playlist_entitlement({ channel, owner, name }): Promise<Partial<Target>> {
    const playlist_id = await newPlaylist(channel)
    if (name === 'create') return { parentId: owner, fields: { playlist_id } }
    const { _id } = await channel.as('admin').playlist_entitlements.create(owner, { playlist_id })
    return { parentId: owner, id: _id, fields: name === 'update' ? { transaction_id: 'Changed' } : {} }
  },
  own_video_entitlement: async () => ({}),
  own_playlist_entitlement: async () => ({}),
  async video_rating({ channel, owner, name }): Promise<Partial<Target>> {
    const { _id: video_id } = await channel.as('admin').videos.create({ title: 'Rated' })
    return { parentId: owner, fields: name === 'create' ? { video_id, rating: 4 } : {} }
  },
  subscription_entitlement: async ({ owner }) => ({ parentId: owner }),
  async pass_plan({ channel }) {
    const fields = { name: 'A week', amount: '3.00' }
    return { id: (await channel.as('admin').pass_plans.create(fields))._id, fields }
  },
  async revenue_model({ channel }) {
    const { response } = await channel.as('admin').revenue_models.list()
    return { id: response[0]?._id ?? '' }
  },
  async ad_tag({ channel }) {
    const fields = { name: 'Before the film', tag: 'https://ads.example/vast' }
    return { id: (await channel.as('admin').ad_tags.create(fields))._id, fields }
  },
}
