import { randomUUID } from 'node:crypto'
import { actionPath, catalog, operations, pathOf, type Resource } from '@zoetrope/contract'
import { newUnguessableId } from '../../packages/server/src/lib/object-id.js'
import type { Parts } from '../../packages/server/src/resources/feature.js'
import type { Format, TestApi, TestChannel } from '../support/api.js'
import { feedMakers } from './access-targets-feeds.js'
import { moneyMakers } from './access-targets-money.js'
import { ruleMakers } from './access-targets-rules.js'
import { addFailedSource, firstVersion, newVideo, videoMakers, withSource } from './access-targets-videos.js'
import { webhookMakers } from './access-targets-webhooks.js'
import { ask, lenient, type Reply } from './ask.js'

/** One endpoint of the catalog. */
export interface Endpoint {
  readonly resource: Resource
  readonly name: string
  readonly method: string
  readonly path: string
  readonly success: number
}

export const endpoints: readonly Endpoint[] = Object.values(catalog).flatMap((resource: Resource) => [
  ...resource.operations.map((name) => {
    const { method, success } = operations[name]
    return { resource, name, method, path: pathOf(resource, name), success }
  }),
  ...Object.entries(resource.actions).map(([name, { method, success = 200 }]) => {
    return { resource, name, method, path: actionPath(resource, name), success }
  }),
])

/** What a request needs to succeed: the ids in its path, and its fields. */
export interface Target {
  readonly id: string
  readonly parentId: string
  readonly grandparentId?: string
  readonly fields: Readonly<Record<string, string | number | boolean | readonly (string | object)[]>>
}

/** Parts of a server that targets use directly: rows that no request creates, and digests of tokens. */
export interface TargetApi extends Pick<TestApi, 'database'> {
  readonly parts: Pick<Parts, 'sealer'>
}

export interface Making {
  readonly api: TargetApi
  readonly channel: TestChannel
  readonly name: string
  /** The consumer that owns the record, if it is a personal one. */
  readonly owner: string
}

export type Make = (making: Making) => Promise<Partial<Target>>

export const newEmail = () => `${randomUUID()}@example.com`
const newType = async (channel: TestChannel) =>
  (await channel.as('admin').zobject_types.create({ title: randomUUID() }))._id

async function newZobject(channel: TestChannel): Promise<string> {
  const { title: zobject_type } = await channel.as('admin').zobject_types.get(await newType(channel))
  return (await channel.as('admin').zobjects.create({ zobject_type, title: 'Target' }))._id
}

const aSubtitle = Buffer.from('00:00:01,000 --> 00:00:02,000\nHello').toString('base64')

/** Creates a record on which an operation would succeed. */
const makers: Readonly<Record<string, Make>> = {
  async video({ api, channel, name }): Promise<Partial<Target>> {
    const id = await newVideo(channel)
    if (name === 'restore' || name === 'purge') await channel.as('admin').videos.remove(id)
    if (name === 'retry' || name === 'poster') await addFailedSource(api, channel, id)
    if (name.endsWith('_zobjects')) return { id, fields: { zobject_id: [await newZobject(channel)] } }
    if (name === 'restore_version') return { id, fields: await firstVersion(channel, id) }
    const url = 'https://media.example/film.mp4'
    if (name === 'create_self_hosted') return { fields: { title: 'Elsewhere', url } }
    return { id, fields: { title: 'Changed', ...(name === 'poster' ? { time: '1' } : {}) } }
  },
  async subtitle({ channel, name }): Promise<Partial<Target>> {
    const parentId = await newVideo(channel)
    if (name === 'create') return { parentId, fields: { language: 'en', file: aSubtitle } }
    const { _id } = await channel.as('admin').subtitles.create(parentId, { language: 'en', file: aSubtitle })
    if (name === 'shift') return { parentId, id: _id, fields: { seconds: 1 } }
    if (name === 'download') return { parentId, id: _id, fields: { format: 'srt' } }
    return { parentId, id: _id, fields: name === 'update' ? { title: 'Changed' } : {} }
  },
  async zobject_type({ channel, name }): Promise<Partial<Target>> {
    if (name === 'create') return { fields: { title: randomUUID() } }
    return { id: await newType(channel), fields: name === 'update' ? { description: 'Changed' } : {} }
  },
  async zobject({ channel, name }): Promise<Partial<Target>> {
    const admin = channel.as('admin')
    const { title: zobject_type } = await admin.zobject_types.get(await newType(channel))
    const { _id } = await admin.zobjects.create({ zobject_type, title: 'Target', active: true })
    if (name.endsWith('_videos'))
      return { id: _id, fields: { zobject_type, video_id: [await newVideo(channel)] } }
    if (name.endsWith('_playlists')) {
      const playlist = await admin.playlists.create({ title: 'Target' })
      return { id: _id, fields: { zobject_type, playlist_id: [playlist._id] } }
    }
    return { id: _id, fields: { zobject_type, ...(/create|update/.test(name) ? { title: 'Changed' } : {}) } }
  },
  async segment({ channel, name }): Promise<Partial<Target>> {
    const parentId = await newVideo(channel)
    const fields = { description: 'Start', start: 0 }
    if (name === 'create') return { parentId, fields }
    const { _id } = await channel.as('admin').segments.create(parentId, fields)
    return { parentId, id: _id, fields: name === 'update' ? { description: 'Changed' } : {} }
  },
  async source(making) {
    return { parentId: await withSource(making) }
  },
  async download(making) {
    return { parentId: await withSource(making) }
  },
  async video_import({ channel, name }) {
    const source_url = 'https://films.example/horse.mp4'
    const auto_add = name !== 'add_video'
    const { _id } = await channel.as('admin').video_imports.create({ source_url, auto_add })
    return { id: _id, fields: { source_url } }
  },
  async category({ channel, name }) {
    if (name === 'create') return { fields: { title: randomUUID() } }
    const { _id } = await channel.as('admin').categories.create({ title: randomUUID() })
    return { id: _id, fields: { title: randomUUID() } }
  },
  async playlist({ channel, name }): Promise<Partial<Target>> {
    const { playlists } = channel.as('admin')
    const { _id: id } = await playlists.create({ title: 'Target' })
    if (name === 'videos' || name === 'relationships') return { id }
    if (!name.includes('videos')) return { id, fields: { title: 'Changed' } }
    const video_id = await newVideo(channel)
    await playlists.addVideos(id, { video_id: [video_id] })
    return {
      id,
      fields: name === 'videos_relative' ? { anchor_video_id: video_id } : { video_id: [video_id] },
    }
  },
  async app({ channel }) {
    const { _id } = await channel.as('admin').apps.create({ title: 'Target' })
    return { id: _id, fields: { title: 'Changed' } }
  },
  async named_key({ channel, name }): Promise<Partial<Target>> {
    const newName = () => `Upload script ${randomUUID()}`
    const fields = { name: newName(), scopes: ['videos:read', 'videos:write'] }
    if (name === 'create') return { fields }
    const { _id } = await channel.as('admin').keys.create(fields)
    return { id: _id, fields: name === 'update' ? { name: newName() } : {} }
  },
  async signing_key({ channel, name }): Promise<Partial<Target>> {
    if (name === 'create') return { fields: { name: 'Web shop' } }
    return { id: (await channel.as('admin').signing_keys.create({ name: 'Web shop' }))._id }
  },
  async video_playback_token({ channel }) {
    return { parentId: await newVideo(channel), fields: { expires_in: 600 } }
  },
  async playlist_playback_token({ channel }) {
    const { _id } = await channel.as('admin').playlists.create({ title: 'Target' })
    return { parentId: _id, fields: { expires_in: 600 } }
  },
  async user({ channel, name }): Promise<Partial<Target>> {
    if (name === 'create') return { fields: { email: newEmail(), role: 'editor' } }
    const { _id } = await channel.as('admin').users.create({ email: newEmail(), role: 'editor' })
    return { id: _id, fields: name === 'update' ? { role: 'viewer' } : {} }
  },
  async batch({ channel }) {
    const path = `/videos/${await newVideo(channel)}`
    return { fields: { requests: [{ method: 'PUT', path, body: { title: 'Changed' } }] } }
  },
  account: async () => ({ fields: { title: 'Changed' } }),
  formats: async () => ({ fields: { hls_240p: false } }),
  format_costs: async () => ({}),
  own_app: async () => ({}),
  async consumer(making) {
    return { id: making.owner, fields: await consumerFields(making) }
  },
  async play({ api, channel }) {
    const id = newUnguessableId()
    await api.database.db`
      insert into plays (_id, site_id, video_id, date, device)
      values (${id}, ${channel.channel._id}, ${await newVideo(channel)}, '2026-01-01Z', 'tv')
    `
    return { id }
  },
  async video_favorite({ channel, owner, name }) {
    const video_id = await newVideo(channel)
    if (name === 'create') return { parentId: owner, fields: { video_id } }
    const { _id } = await channel.as('admin').video_favorites.create(owner, { video_id })
    return { parentId: owner, id: _id }
  },
  async entitlement({ channel, owner, name }): Promise<Partial<Target>> {
    const video_id = await newVideo(channel)
    if (name === 'create') return { parentId: owner, fields: { video_id } }
    const { _id } = await channel.as('admin').video_entitlements.create(owner, { video_id })
    return { parentId: owner, id: _id, fields: name === 'update' ? { transaction_id: 'Changed' } : {} }
  },
  async session({ channel, owner }) {
    const { response } = await channel.as('admin').sessions.list(owner)
    return { parentId: owner, id: response[0]?._id ?? '' }
  },
  async linked_device({ channel, owner }) {
    const { pin, _id } = await acquire(channel)
    await channel.as('admin').pin.link({ consumer_id: owner, pin })
    return { parentId: owner, id: _id }
  },
  async pin({ channel, owner, name }): Promise<Partial<Target>> {
    if (name === 'acquire') return { fields: { linked_device_id: randomUUID() } }
    const { linked_device_id, pin } = await acquire(channel)
    if (name === 'status') return { fields: { linked_device_id } }
    if (name === 'unlink') await channel.as('admin').pin.link({ consumer_id: owner, pin })
    return { fields: { consumer_id: owner, pin } }
  },
  async device({ channel }) {
    return { id: (await channel.as('admin').devices.list()).response[0]?._id ?? '' }
  },
  async device_category({ channel }) {
    return { id: (await channel.as('admin').device_categories.list()).response[0]?._id ?? '' }
  },
  async upload({ channel, name }): Promise<Partial<Target>> {
    if (name === 'create') return { fields: { length: 5 } }
    return { id: (await channel.as('admin').uploads.create({ length: 5 }))._id, fields: { message: 'half' } }
  },
  async upload_token({ channel, name }) {
    if (name === 'create') return { fields: { uploads: 2 } }
    return { id: (await channel.as('admin').upload_tokens.create({}))._id }
  },
  async event({ channel }) {
    const record_id = await newVideo(channel)
    const { response } = await channel.as('admin').events.list({ record_id })
    return { id: response[0]?._id ?? '', fields: { record_id } }
  },
  ...moneyMakers,
  ...videoMakers,
  ...feedMakers,
  ...ruleMakers,
  ...webhookMakers,
}

/** Acquires a PIN for a new device of the channel's app. */
export async function acquire(channel: TestChannel) {
  const device = await channel.as('app').pin.acquire({ linked_device_id: randomUUID() })
  return { ...device, pin: device.pin ?? '' }
}

async function consumerFields({ api, channel, name, owner }: Making): Promise<Target['fields']> {
  if (name === 'update') return { name: 'Changed' }
  if (name === 'reset_password')
    return { password: 'quite another secret 7', password_token: await mailToken(api, channel, owner, name) }
  if (name === 'verify_email') return { verification_token: await mailToken(api, channel, owner, name) }
  return { email: newEmail() }
}

/** Creates a token like those that are sent by mail. */
async function mailToken(api: TargetApi, channel: TestChannel, owner: string, purpose: string) {
  const token = randomUUID()
  const { site_id, email } = await channel.as('admin').consumers.get(owner)
  await api.database.db`
    insert into mail_tokens (digest, site_id, consumer_id, purpose, email, expires_at)
    values (${api.parts.sealer.digest(token)}, ${site_id}, ${owner}, ${purpose}, ${email}, now() + interval '1 hour')
  `
  return token
}

const owners = new WeakMap<TestChannel, Promise<{ readonly _id: string }>>()

/** Returns the consumer whose records a call is about. Calls on consumers and their sessions get a new one: they may end it. */
export async function ownerFor(channel: TestChannel, { resource }: Endpoint): Promise<string> {
  if (resource.name === 'session') return (await channel.consumer())._id
  const create = () => channel.as('admin').consumers.create({ email: newEmail() })
  if (resource.name === 'consumer') return (await create())._id
  const owner = owners.get(channel) ?? create()
  owners.set(channel, owner)
  return (await owner)._id
}

/** Creates a record on which the endpoint would succeed. A personal record belongs to the given consumer. */
export async function makeTarget(
  api: TargetApi,
  channel: TestChannel,
  { resource, name }: Endpoint,
  owner: string,
): Promise<Target> {
  const make = makers[resource.name]
  if (!make) throw new Error(`Nothing says how a ${resource.name} comes about`)
  return { id: '', parentId: '', fields: {}, ...(await make({ api, channel, name, owner })) }
}

const types = { json: 'application/json', xml: 'text/xml' } as const

/** Makes a request that would succeed, with the credential in the headers. */
export function perform(
  { url }: TestApi,
  { method, path }: Endpoint,
  { id, parentId, grandparentId = '', fields }: Target,
  headers: Record<string, string>,
  format: Format,
): Promise<Reply> {
  const inside = path.replace(':grandparent_id', grandparentId).replace(':parent_id', parentId)
  const address = url + inside.replace(':id', id)
  const writes = method === 'POST' || method === 'PUT'
  return ask(
    writes ? address : `${address}?${new URLSearchParams(fields as Record<string, string>)}`,
    format,
    {
      method,
      // The same fields are sent to every operation.
      headers: { ...headers, ...lenient, 'content-type': types[format] },
      ...(writes ? { body: written(fields, format) } : {}),
    },
  )
}

type Fields = Readonly<Record<string, unknown>>

function written(fields: Fields, format: Format): string {
  return format === 'json' ? JSON.stringify(fields) : `<request>${elements(fields)}</request>`
}

const elements = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) =>
      Array.isArray(value)
        ? `<${name} type="array">${value.map((item) => elements({ item })).join('')}</${name}>`
        : `<${name}>${typeof value === 'object' ? elements(value as Fields) : value}</${name}>`,
    )
    .join('')
