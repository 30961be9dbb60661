import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { filterParameters, type Resource, sortFields } from '@zoetrope/contract'
import { startApi, type TestApi } from '../support/api.js'
import { endpoints } from './access-targets.js'
import { ask } from './ask.js'
import { targetOf } from './wire-parts.js'

let api: TestApi
let key: Record<string, string>
before(async () => {
  api = await startApi()
  key = { 'x-api-key': api.channel.keys.admin }
})
after(() => api.stop())

/** The lists of the catalog that the admin key reads by itself. */
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

/** What every record has is read by the same code everywhere; one list shows that. */
const everywhere = new Set(['_id', 'site_id', 'created_at', 'updated_at'])
const filtersTried = (resource: Resource) =>
  filterParameters(resource).filter(({ name }) => resource.name === 'video' || !everywhere.has(name))

for (const endpoint of lists)
  test(`${endpoint.path} takes every sort and filter it declares, and nothing makes it fail`, async () => {
    const { resource } = endpoint
    const url = await listAddress(endpoint)
    const queries = [
      ...sortFields(resource).flatMap((name) => [`sort=${name}&order=asc`, `sort=${name}&order=desc`]),
      ...filtersTried(resource).flatMap(({ parameter }) => {
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
