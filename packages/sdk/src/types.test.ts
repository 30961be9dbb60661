import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Catalog, RecordOf } from '@zoetrope/contract'
import { createClient, type Page } from './index.js'

// The compiler is what is tested here; the calls run too, against an answer that suits them all.
const url = 'http://localhost'
const fetch = async () => Response.json({ response: [], pagination: { next_cursor: null } })
const client = createClient({ url, apiKey: 'key', fetch })
const id = '65f0c0ffee0123456789abcd'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <Claim extends true>(claim?: Claim) => claim

test('a record has the types of its definition', () => {
  type Video = RecordOf<Catalog['videos']>
  holds<Same<Awaited<ReturnType<typeof client.videos.get>>, Video>>()
  holds<Same<Awaited<ReturnType<typeof client.videos.list>>, Page<Video>>>()
  holds<Same<Video['title'], string>>()
  holds<Same<Video['description'], string | null>>()
  holds<Same<Video['active'], boolean>>()
  holds<Same<Video['keywords'], string[]>>()
  holds<Same<Video['request_count'], number>>()
  holds<Same<Video['deleted_at'], string | null>>()
  holds<Same<RecordOf<Catalog['apps']>['first_page'], 0 | 1 | null>>()
})

test('create takes only fields that exist and can be written, and needs the required ones', async () => {
  await client.videos.create({ title: 'x', enable_at: new Date(), purchase_price: 4.99, keywords: ['a'] })
  // @ts-expect-error an unknown field
  await client.videos.create({ title: 'x', colour: 'red' })
  // @ts-expect-error the title is missing
  await client.videos.create({ description: 'x' })
  // @ts-expect-error a computed field
  await client.videos.create({ title: 'x', status: 'ready' })
  // @ts-expect-error a required field cannot be emptied
  await client.videos.create({ title: null })
  // @ts-expect-error not one of the choices
  await client.videos.create({ title: 'x', parental_guidelines_rating: 'mild' })
})

test('update takes any of the fields that can be written', async () => {
  await client.videos.update(id, { description: null })
  await client.account.update({ first_page: 1 })
  // @ts-expect-error a computed field
  await client.videos.update(id, { duration: 3 })
  // @ts-expect-error an unknown field
  await client.account.update({ first_pages: 1 })
  // @ts-expect-error not one of the choices
  await client.account.update({ first_page: 2 })
})

test('a list takes only the filters and orders that are declared', async () => {
  await client.videos.list({ 'title!': 'x', 'created_at.gte': new Date(), category: { Genre: ['Drama'] } })
  await client.videos.list({ active: 'all', sort: 'published_at', order: 'asc', response_fields: ['title'] })
  // @ts-expect-error not a field to sort by
  await client.videos.list({ sort: 'description' })
  // @ts-expect-error not a filter
  await client.videos.list({ description: 'x' })
  // @ts-expect-error a filter, but without this test
  await client.videos.list({ 'featured!': true })
  // @ts-expect-error no such field
  await client.videos.list({ response_fields: ['titel'] })
  // @ts-expect-error the walk counts its own pages
  client.videos.all({ page: 3 })
})

test('a resource has the operations and actions it declares, and no others', async () => {
  await client.apps.rotate(id, { overlap: 60 }, { signal: AbortSignal.timeout(1000) })
  await client.videos.restore(id, { signal: AbortSignal.timeout(1000) })
  // @ts-expect-error the account is not a list
  assert.equal(client.account.list, undefined)
  // @ts-expect-error nor can it be walked
  assert.equal(client.account.all, undefined)
  // @ts-expect-error apps are not kept
  assert.equal(client.apps.restore, undefined)
  // @ts-expect-error not a field of the action
  await client.apps.rotate(id, { overlaps: 60 })
  // @ts-expect-error the id is missing
  await client.videos.get().catch(() => {})
})

test('methods of nested resources need the id of the parent', async () => {
  type Favorite = RecordOf<Catalog['video_favorites']>
  holds<Same<Awaited<ReturnType<typeof client.video_favorites.list>>, Page<Favorite>>>()
  await client.video_favorites.create(id, { video_id: id })
  await client.video_favorites.remove(id, id, { signal: AbortSignal.timeout(1000) })
  await client.sessions.list(id, { sort: 'refreshed_at', order: 'asc' })
  // @ts-expect-error the consumer is missing
  await client.video_favorites.list({ video_id: id }).catch(() => {})
  // @ts-expect-error one id is missing
  await client.video_favorites.get(id).catch(() => {})
  // @ts-expect-error a favourite is not changed
  assert.equal(client.video_favorites.update, undefined)
})

test('an action of a collection or of a single resource takes no id', async () => {
  const says = async () => Response.json({ message: 'Done.' })
  const { consumers } = createClient({ url, appKey: 'key', fetch: says })
  holds<Same<Awaited<ReturnType<typeof consumers.forgotPassword>>, void>>()
  holds<Same<Awaited<ReturnType<typeof client.pin.acquire>>, RecordOf<Catalog['pin']>>>()
  await consumers.forgotPassword({ email: 'ada@example.com' })
  await consumers.endSessions(id, { signal: AbortSignal.timeout(1000) })
  await client.pin.status({ linked_device_id: 'tv-1' })
  // @ts-expect-error the address is missing
  await consumers.forgotPassword({})
  // @ts-expect-error it is about one consumer
  await consumers.endSessions().catch(() => {})
  // @ts-expect-error not a field of the action
  await client.pin.acquire({ linked_device_id: 'tv-1', colour: 'red' })
})

test('a password can be written but not read', async () => {
  type Consumer = RecordOf<Catalog['consumers']>
  holds<Same<Extract<keyof Consumer, 'password' | 'password_confirmation'>, never>>()
  holds<Same<Consumer['email'], string>>()
  await client.consumers.create({ email: 'ada@example.com', password: 'correct horse' })
  await client.consumers.list({ custom: { plan: 'gold' }, 'sign_in_count.gte': 2 })
  // @ts-expect-error nothing to filter by
  await client.consumers.list({ password: 'x' })
})

test('a record has only the fields that were asked for, and its id', async () => {
  const { response } = await client.videos.list({ response_fields: ['title', 'genre'] })
  holds<Same<(typeof response)[number], Pick<RecordOf<Catalog['videos']>, '_id' | 'title' | 'genre'>>>()
  const get = () => client.videos.get(id, { query: { response_fields: ['title'] } })
  holds<Same<Awaited<ReturnType<typeof get>>, Pick<RecordOf<Catalog['videos']>, '_id' | 'title'>>>()
  const all = () => client.videos.all({ response_fields: ['title'] })
  // @ts-expect-error not asked for
  for await (const { genre } of all()) assert.equal(genre, undefined)
})

test('a record has the related records that were asked for', async () => {
  type Subtitle = RecordOf<Catalog['subtitles']>
  const { response } = await client.videos.list({ response_fields: ['title'], include: ['subtitles'] })
  for (const { subtitles } of response) holds<Same<typeof subtitles, Subtitle[]>>()
  const get = () => client.subscriptions.get(id, { query: { include: ['plan'] } })
  type Plan = Awaited<ReturnType<typeof get>>['plan']
  holds<Same<Plan, RecordOf<Catalog['plans']> | null>>()
  // @ts-expect-error no such records
  await client.videos.list({ include: ['subtitels'] })
  const all = () => client.videos.all({})
  // @ts-expect-error not asked for
  for await (const { subtitles } of all()) assert.equal(subtitles, undefined)
})

test('the type of an event tells what its data is', async () => {
  const { response } = await client.events.list({ type: 'video.*' })
  for (const event of response) {
    if (event.type === 'video.playable') holds<Same<typeof event.data.title, string>>()
    if (event.type === 'playlist.updated') holds<Same<typeof event.previous.title, string | undefined>>()
    if (event.type === 'consumer.created') holds<Same<typeof event.data.email, string>>()
    // @ts-expect-error secrets are in no event
    if (event.type === 'app.rotated') assert.equal(event.data.app_key, undefined)
    // @ts-expect-error no such type
    if (event.type === 'video.exploded') assert.fail()
  }
})

test('a client takes exactly one credential', () => {
  createClient({ url, appKey: 'key', fetch })
  // @ts-expect-error two
  assert.throws(() => createClient({ url, apiKey: 'key', accessToken: 'token' }))
  // @ts-expect-error none
  assert.throws(() => createClient({ url }))
})
