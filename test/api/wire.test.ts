import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Field, filterParameters, type Resource, shownFields, sortFields } from '@zoetrope/contract'
import { formats, startApi, type TestApi } from '../support/api.js'
import { endpoints, makeTarget, newEmail, type Target } from './access-targets.js'
import { ask } from './ask.js'

let api: TestApi
let key: Record<string, string>
before(async () => {
  api = await startApi()
  key = { 'x-api-key': api.channel.keys.admin }
})
after(() => api.stop())

/** The lists of the catalog that the admin key reads by itself. */
const lists = endpoints.filter(({ resource, name }) => name === 'list' && !resource.name.startsWith('own_'))

async function listAddress(endpoint: (typeof lists)[number]): Promise<{ url: string; target: Target }> {
  const { _id } = await api.as('admin').consumers.create({ email: newEmail() })
  const owner = endpoint.resource.name === 'session' ? (await api.channel.consumer())._id : _id
  const target = await makeTarget(api, api.channel, { ...endpoint, name: 'list' }, owner)
  const query = new URLSearchParams(
    Object.entries(target.fields).filter(
      ([name]) => endpoint.resource.fields[name]?.beside !== undefined,
    ) as [string, string][],
  )
  const { parentId, grandparentId = '' } = target
  const path = endpoint.path.replace(':grandparent_id', grandparentId).replace(':parent_id', parentId)
  return { url: `${api.url}${path}?${query}`, target }
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

for (const endpoint of lists)
  test(`${endpoint.path} takes every sort and filter it declares, and nothing makes it fail`, async () => {
    const { resource } = endpoint
    const { url } = await listAddress(endpoint)
    const queries = [
      ...sortFields(resource).flatMap((name) => [`sort=${name}&order=asc`, `sort=${name}&order=desc`]),
      ...filterParameters(resource).flatMap(({ parameter }) => {
        const name = encodeURIComponent(parameter)
        return [...odd.map((value) => `${name}=${value}`), `${name}[]=x&${name}[]=y`, `${name}[a]=b`]
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

const isId = (value: unknown) => /^[0-9a-f]{24}$/.test(String(value))

/** Whether a value is what its field promises on the wire. */
function isKept({ kind }: Field, value: unknown): boolean {
  if (kind === 'list' || kind === 'objects') return Array.isArray(value)
  if (value === null || value === undefined) return true
  if (kind === 'id') return isId(value)
  return kind !== 'integer' || Number.isInteger(value)
}

const brokenIn = (resource: Resource, record: Readonly<Record<string, unknown>>): string[] =>
  shownFields(resource)
    .filter((name) => !isKept(resource.fields[name] as Field, record[name]))
    .map((name) => `${resource.plural}.${name}: ${JSON.stringify(record[name])}`)

for (const format of formats)
  test(`lists show ids of 24 digits, whole numbers, and lists where lists are (${format})`, async () => {
    for (const endpoint of lists) {
      const { url } = await listAddress(endpoint)
      const { status, body } = await ask(url, format, { headers: key })
      assert.equal(status, 200, `${endpoint.path} ${body.message}`)
      const broken = body.response.slice(0, 2).flatMap((record) => brokenIn(endpoint.resource, record))
      assert.deepEqual(broken, [])
    }
  })

test('an id of another channel in a list of ids, or as a filter, finds nothing of it', async () => {
  const theirs = await api.other.as('admin').videos.create({ title: 'Theirs' })
  for (const endpoint of lists.filter(({ resource }) => !resource.derived)) {
    const { url } = await listAddress(endpoint)
    const named = filterParameters(endpoint.resource).filter(
      ({ field, comparison }) => field.kind === 'id' && comparison === 'is',
    )
    for (const { parameter } of named) {
      const { status, body } = await ask(`${url}&${parameter}=${theirs._id}`, 'json', { headers: key })
      if (status === 200) assert.deepEqual(body.response, [], `${endpoint.path} ${parameter}`)
      else assert.equal(status, 404)
    }
  }
})
