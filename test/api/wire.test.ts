import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { filterParameters, type Resource, sortFields } from '@zoetrope/contract'
import { startApi, type TestApi } from '../support/api.js'
import { seededRandom, shuffled } from '../support/random.js'
import { type Endpoint, endpoints, type Target } from './access-targets.js'
import { ask, lenient } from './ask.js'
import { targetOf } from './wire-parts.js'

let api: TestApi
let key: Record<string, string>
before(async () => {
  api = await startApi()
  key = { 'x-api-key': api.channel.keys.admin }
})
after(() => api.stop())

/** The lists of the catalog that the admin key can read: all except those of personal resources. */
const lists = endpoints.filter(({ resource, name }) => name === 'list' && !resource.name.startsWith('own_'))

async function listAddress(endpoint: (typeof lists)[number]): Promise<string> {
  const target = await targetOf(api, endpoint)
  const query = new URLSearchParams(
    Object.entries(target.fields).filter(
      ([name]) => endpoint.resource.fields[name]?.beside !== undefined,
    ) as [string, string][],
  )
  const { parentId, grandparentId = '' } = target
  const path = endpoint.path.replace(':grandparent_id', grandparentId).replace(':parent_id', parentId)
  return `${api.url}${path}?${query}`
}

const odd = [
  '',
  'x',
  '-1',
  '1e99',
  'null',
  '%00',
  'f'.repeat(24),
  '2024-13-45',
  "' or 1=1 --",
  '[]',
  '{"a":1}',
]

/** What one filter is tried with: the long check tries all odd values, the short one some that the seed chooses. */
const oddFor = (parameter: string) =>
  process.env.TEST_ALL ? odd : shuffled(odd, seededRandom(parameter)).slice(0, 4)

/** The same code reads the standard fields of all resources, so one list is enough. */
const everywhere = new Set(['_id', 'site_id', 'created_at', 'updated_at'])
const filtersTried = (resource: Resource) =>
  filterParameters(resource).filter(({ name }) => resource.name === 'video' || !everywhere.has(name))

for (const endpoint of lists)
  test(`${endpoint.path} takes every sort and filter it declares, without a server error`, async () => {
    const { resource } = endpoint
    const url = await listAddress(endpoint)
    const queries = [
      ...sortFields(resource).flatMap((name) => [`sort=${name}&order=asc`, `sort=${name}&order=desc`]),
      ...filtersTried(resource).flatMap(({ parameter }) => {
        const name = encodeURIComponent(parameter)
        return [
          ...oddFor(parameter).map((value) => `${name}=${value}`),
          `${name}[]=x&${name}[]=y`,
          `${name}[a]=b`,
        ]
      }),
      'q=x',
      'response_fields=nothing,_id',
    ]
    for (const query of queries) {
      const { status, body } = await ask(`${url}&${query}`, 'json', { headers: key })
      assert.ok(status === 200 || status === 422 || status === 404, `${query}: ${status} ${body.message}`)
      if (status === 200 && query.includes('sort=')) assert.ok(Array.isArray(body.response), query)
    }
  })

/** Returns a field in the bracket notation of query strings. */
function inBrackets(name: string, value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  return Array.isArray(value)
    ? value.flatMap((each) => inBrackets(`${name}[]`, each))
    : Object.entries(value).flatMap(([inner, each]) => inBrackets(`${name}[${inner}]`, each))
}

const inForm = 'application/x-www-form-urlencoded'
const credentialBodies: readonly (readonly [about: string, type: string, write: (key: string) => string])[] =
  [
    ['a form', inForm, (given) => `api_key=${given}&`],
    ['JSON', 'application/json', (given) => JSON.stringify({ api_key: given })],
    ['XML', 'text/xml', (given) => `<request><api_key>${given}</api_key></request>`],
  ]

const writeAddress = ({ path }: Endpoint, { id, parentId, grandparentId = '', fields }: Target) =>
  `${path.replace(':grandparent_id', grandparentId).replace(':parent_id', parentId).replace(':id', id)}?${new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => inBrackets(name, value)),
  )}`

/** Only writes: lists always read their parameters from the query. */
const writes = endpoints.filter(({ method }) => method === 'POST' || method === 'PUT')

writes.forEach((endpoint, index) => {
  const [about, type, write] = credentialBodies[index % credentialBodies.length] ?? ['', '', String]
  test(`${endpoint.method} ${endpoint.path} takes its fields from the query and its key from ${about}`, async () => {
    const address = writeAddress(endpoint, await targetOf(api, endpoint))
    const { status, body } = await ask(`${api.url}${address}`, 'json', {
      method: endpoint.method,
      headers: { ...lenient, 'content-type': type },
      body: write(api.channel.keys.admin),
    })
    assert.equal(status, endpoint.success, body?.message)
  })
})

test('with a body of only credential and _method, the fields come from the query', async () => {
  const { admin } = api.channel.keys
  const { _id } = await api.as('admin').videos.create({ title: 'Before' })
  const post = (query: string, body: string) =>
    ask(`${api.url}/videos/${_id}?${query}`, 'json', {
      method: 'POST',
      headers: { ...lenient, 'content-type': inForm },
      body,
    })
  const changed = await post('video[title]=After', `_method=put&api_key=${admin}`)
  assert.deepEqual([changed.status, changed.body.response.title], [200, 'After'])
  const named = await post(`video[title]=Again&api_key=${admin}`, '_method=put')
  assert.deepEqual([named.status, named.body.response.title], [200, 'Again'])
  const twice = await post(`video[title]=Twice&api_key=${admin}`, `_method=put&api_key=${admin}`)
  assert.deepEqual([twice.status, twice.body.code], [422, 'invalid'])
  // If the body has any field, the fields of the query are ignored.
  const both = await post('video[title]=Query', `_method=put&api_key=${admin}&video[description]=Body`)
  assert.deepEqual([both.body.response.title, both.body.response.description], ['Again', 'Body'])
})
