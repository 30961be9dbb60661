/** Objects that callers send are values. None of them becomes a part of a statement, whatever its shape. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catalog, writableFields } from '@zoetrope/contract'
import { createClient } from '@zoetrope/sdk'
import { startApi, type TestApi } from '../support/api.js'

/** What a piece of SQL looks like inside the server. */
const shaped = { strings: ["(select jsonb_build_object('database', current_database()))"], values: [] }

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

test('an app key stores an object with the shape of SQL in a new consumer', async () => {
  const { consumers } = api.as('app')
  const email = 'shaped@example.com'
  const { _id } = await consumers.create({ email, password: 'a password of nobody', custom: shaped })
  assert.deepEqual((await api.as('admin').consumers.get(_id)).custom, shaped)
})

test('a consumer stores such an object in their own record', async () => {
  const viewer = await api.channel.consumer()
  const own = createClient({ url: api.url, accessToken: viewer.access_token, retries: 0 })
  const { custom } = await own.consumers.update(viewer._id, { custom: shaped })
  assert.deepEqual(custom, shaped)
})

const plan = {
  interval: 'month',
  interval_count: 1,
  amount: '1.00',
  currency: 'usd',
  entitlement_type: 'global',
}

/** The fields that take any object, with what else a record needs. */
const fields = [
  ['videos', 'custom_attributes', { title: 'T' }],
  ['videos', 'marketplace_ids', { title: 'T' }],
  ['playlists', 'marketplace_ids', { title: 'T' }],
  ['plans', 'marketplace_ids', { name: 'N', ...plan }],
  ['apps', 'settings', { title: 'T' }],
] as const

for (const [plural, field, others] of fields)
  test(`${plural} keep such an object in ${field}`, async () => {
    const client = api.as('admin')[plural] as unknown as {
      create(fields: object): Promise<Record<string, unknown> & { _id: string }>
      update(id: string, fields: object): Promise<Record<string, unknown>>
    }
    const made = await client.create({ ...others, [field]: shaped })
    assert.deepEqual(made[field], shaped)
    const changed = await client.update(made._id, { [field]: { ...shaped, values: ['more'] } })
    assert.deepEqual(changed[field], { ...shaped, values: ['more'] })
  })

test('no other field takes any object', () => {
  const known = new Set<string>([
    ...fields.map(([plural, field]) => `${plural} ${field}`),
    'consumers custom',
  ])
  const all = Object.entries(catalog).flatMap(([plural, resource]) =>
    writableFields(resource)
      .filter(([, { kind }]) => kind === 'map')
      .map(([field]) => `${plural} ${field}`),
  )
  // Formats must have names that exist; the fields of custom objects are those of their type.
  assert.deepEqual(
    all.filter((each) => !known.has(each)),
    ['videos formats', 'zobjects custom'],
  )
})
