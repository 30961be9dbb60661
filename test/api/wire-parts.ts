import { randomUUID } from 'node:crypto'
import type { Field } from '@zoetrope/contract'
import type { TestApi, TestChannel } from '../support/api.js'
import { type Endpoint, makeTarget, newEmail, ownerFor, type Target } from './access-targets.js'
import { globalPlan, newPlaylist } from './access-targets-money.js'
import { newVideo } from './access-targets-videos.js'

type Fields = Readonly<Record<string, Field>>
type Make = (channel: TestChannel) => Promise<string>

async function newZobject(channel: TestChannel): Promise<string> {
  const zobject_type = randomUUID()
  await channel.as('admin').zobject_types.create({ title: zobject_type })
  return (await channel.as('admin').zobjects.create({ zobject_type, title: 'Target', active: true }))._id
}

const newCategory = async (channel: TestChannel) =>
  (await channel.as('admin').categories.create({ title: randomUUID(), values: ['One', 'Two'] }))._id

const firstDevice: Make = async (channel) => (await channel.as('admin').devices.list()).response[0]?._id ?? ''
const firstDeviceCategory: Make = async (channel) =>
  (await channel.as('admin').device_categories.list()).response[0]?._id ?? ''

/** Creates the record that a field of this name refers to, if such records belong to a channel. */
const named: Readonly<Record<string, Make>> = {
  video_id: newVideo,
  video_ids: newVideo,
  preview_id: newVideo,
  preview_ids: newVideo,
  linked_video_id: newVideo,
  anchor_video_id: newVideo,
  zobject_id: newZobject,
  zobject_ids: newZobject,
  playlist_id: newPlaylist,
  'playlist_id.inclusive': newPlaylist,
  playlist_ids: newPlaylist,
  parent_id: newPlaylist,
  category_id: newCategory,
  consumer_id: async (channel) => (await channel.as('admin').consumers.create({ email: newEmail() }))._id,
  plan_id: async (channel) => (await channel.as('admin').plans.create(globalPlan))._id,
  pass_plan_id: async (channel) =>
    (await channel.as('admin').pass_plans.create({ name: 'A week', amount: '3.00' }))._id,
  featured_playlist_id: async (channel) =>
    (await channel.as('admin').playlists.create({ title: 'Featured' }))._id,
  content_rule_profile_id: async (channel) =>
    (await channel.as('admin').content_rule_profiles.create({ title: randomUUID() }))._id,
  device_id: firstDevice,
  device_ids: firstDevice,
  device_category_id: firstDeviceCategory,
  device_category_ids: firstDeviceCategory,
  video_source_id: async (channel) => {
    const fields = { type: 'mrss', url: 'https://films.example/feed.xml' } as const
    return (await channel.as('admin').video_sources.create(fields))._id
  },
  subscription_id: async (channel) => {
    const { _id: consumer_id } = await channel.as('admin').consumers.create({ email: newEmail() })
    const { _id: plan_id } = await channel.as('admin').plans.create(globalPlan)
    return (await channel.as('admin').subscriptions.create({ consumer_id, plan_id }))._id
  },
  transaction_id: async (channel) => {
    const { _id: consumer_id } = await channel.as('admin').consumers.create({ email: newEmail() })
    const video_id = await newVideo(channel)
    const provider = 'third_party'
    return (await channel.as('admin').transactions.create({ provider, consumer_id, video_id }))._id
  },
}

/** These resources do not exist here; the fields are stored for older clients, or rejected. */
const recordless = new Set(['revenue_partner_id', 'content_rule_group_ids'])

const foreign = new Map<string, Promise<string>>()

/** Returns the id of a record of another channel to which a field of this name could refer. */
export function foreignId(api: TestApi, name: string): Promise<string> {
  const make = named[name]
  if (!make) throw new Error(`Nothing says what ${name} names`)
  const known = foreign.get(name) ?? make(api.other)
  foreign.set(name, known)
  return known
}

/** Returns a PNG header with a size, without image data. */
function png(): string {
  const head = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82]
  const size = [0, 0, 2, 128, 0, 0, 1, 104]
  const end = [8, 2, 0, 0, 0, 0, 0, 0, 0]
  return Buffer.from([...head, ...size, ...end]).toString('base64')
}

interface Sample {
  /** The fields of a new item. */
  readonly item: (channel: TestChannel) => Promise<object>
  /** The fields that change an item. */
  readonly change: object
  readonly shownAs: string
}

const images: Sample = {
  item: async () => ({ title: 'One', attachment: png() }),
  change: { title: 'Two' },
  shownAs: 'images',
}

let latestStart = 0
/** Two chapters of a video cannot begin in the same second. */
const nextStart = () => {
  latestStart += 1000
  return latestStart
}

/** For every list of changes in the catalog: a new item, a change to it, and the field of the record that shows it. */
export const samples: Readonly<Record<string, Sample>> = {
  'videos.categories_attributes': {
    item: async (channel) => ({ category_id: await newCategory(channel), value: ['One'] }),
    change: { value: ['Two'] },
    shownAs: 'categories',
  },
  'videos.segments_attributes': {
    item: async () => ({ description: 'One', start: nextStart() }),
    change: { description: 'Two' },
    shownAs: 'segments',
  },
  'videos.related_videos_attributes': {
    item: async (channel) => ({ linked_video_id: await newVideo(channel), group: 'One' }),
    change: { group: 'Two' },
    shownAs: 'related_videos',
  },
  'videos.images_attributes': images,
  'playlists.images_attributes': images,
  'zobjects.pictures_attributes': { ...images, shownAs: 'pictures' },
  'zobject_types.zobject_attributes_attributes': {
    item: async () => ({ field_name: `a${randomUUID().replaceAll('-', '')}`, field_type: 'string' }),
    change: { show_list: true },
    shownAs: 'zobject_attributes',
  },
  'content_rule_profiles.content_rules_attributes': {
    item: async () => ({ policy: 'allow', countries: ['DE'], priority: 3 }),
    change: { priority: 4 },
    shownAs: 'content_rules',
  },
}

/** Lists of changes whose items are not in the record, but in a list of their own. */
export const shownElsewhere = new Set(['videos.ad_timings_attributes'])

interface Reference {
  readonly name: string
  /** Returns the body field that holds the id. */
  readonly hold: (id: string) => Target['fields']
}

/** Returns every place in a body that can hold the id of another record. */
export function referencesIn(fields: Fields): Reference[] {
  return Object.entries(fields)
    .filter(([name, { computed }]) => !computed && !recordless.has(name))
    .flatMap(([name, field]): Reference[] => {
      if (field.kind === 'id') return [{ name, hold: (id) => ({ [name]: id }) }]
      if (field.kind === 'list' && field.of.kind === 'id') return [{ name, hold: (id) => ({ [name]: [id] }) }]
      if (field.kind !== 'objects') return []
      // The ids of the items themselves are tested with changes to them.
      return referencesIn(field.of)
        .filter((inner) => inner.name !== 'id' && inner.name !== '_id')
        .map((inner) => ({ name: inner.name, hold: (id) => ({ [name]: [inner.hold(id)] }) }))
    })
}

/** Returns the body fields that the endpoint accepts. */
export const bodyOf = ({ resource, name }: Endpoint): Fields =>
  resource.actions[name]?.body ?? (name === 'create' || name === 'update' ? resource.fields : {})

export const targetOf = async (api: TestApi, endpoint: Endpoint) =>
  makeTarget(api, api.channel, endpoint, await ownerFor(api.channel, endpoint))
