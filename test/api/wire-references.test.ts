import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catalog, type Field, filterParameters, type Resource } from '@zoetrope/contract'
import { type Format, formats, startApi, type TestApi } from '../support/api.js'
import { type Endpoint, endpoints, perform, type Target } from './access-targets.js'
import { ask, lenient } from './ask.js'
import { bodyOf, foreignId, referencesIn, samples, shownElsewhere, targetOf } from './wire-parts.js'

let api: TestApi
let key: Record<string, string>
before(async () => {
  api = await startApi()
  key = { 'x-api-key': api.channel.keys.admin }
})
after(() => api.stop())

const called = ({ method, path }: Endpoint) => `${method} ${path}`
/** Endpoints except those of personal resources, which only their owner can call. */
const ours = endpoints.filter(({ resource }) => !resource.name.startsWith('own_'))

/** A record has only one of these. */
const alternatives = ['video_id', 'playlist_id', 'plan_id', 'pass_plan_id']

function withReference(fields: Target['fields'], name: string, held: Target['fields']): Target['fields'] {
  const kept = Object.entries(fields).filter(
    ([field]) => !(alternatives.includes(name) && alternatives.includes(field)),
  )
  return { ...Object.fromEntries(kept), ...held }
}

/**
 * The hosted service returns 422 if the video of a favorite or a rating does not exist. An upload ignores a
 * change of its video.
 */
function isNotFound({ resource, name }: Endpoint, status: number, response: unknown, field: string): boolean {
  if (/^video_(favorite|rating)$/.test(resource.name)) return status === 422
  if (resource.name === 'upload' && name === 'update')
    return status === 200 && (response as Record<string, unknown>)[field] === null
  return status === 404
}

for (const endpoint of ours) {
  const references = referencesIn(bodyOf(endpoint))
  if (references.length > 0)
    test(`${called(endpoint)} finds no record of another channel in what is sent: ${references.map(({ name }) => name).join(', ')}`, async () => {
      const target = await targetOf(api, endpoint)
      for (const { name, hold } of references) {
        const fields = withReference(target.fields, name, hold(await foreignId(api, name)))
        for (const format of formats) {
          const { status, body } = await perform(api, endpoint, { ...target, fields }, key, format)
          const found = isNotFound(endpoint, status, body.response, name)
          assert.ok(found, `${name} (${format}): ${status} ${body.message}`)
        }
      }
    })
}

const isOfIds = (field: Field) => field.kind === 'id' || (field.kind === 'list' && field.of.kind === 'id')

for (const endpoint of ours.filter(({ name }) => name === 'list')) {
  const filters = filterParameters(endpoint.resource).filter(
    ({ parameter, field, comparison }) => isOfIds(field) && comparison !== 'not' && !/^_?id$/.test(parameter),
  )
  if (filters.length > 0)
    test(`${called(endpoint)} finds no record of another channel in its filters: ${filters.map(({ parameter }) => parameter).join(', ')}`, async () => {
      const target = await targetOf(api, endpoint)
      for (const { parameter, field } of filters) {
        const id = await foreignId(api, parameter.replace(/(\.inclusive|_or|_and)$/, ''))
        const fields = { ...target.fields, [parameter]: id }
        for (const format of formats) {
          const { status, body } = await perform(api, endpoint, { ...target, fields }, key, format)
          // Filters that match any of several values find nothing.
          if (field.kind === 'list') assert.deepEqual([status, body.response], [200, []], parameter)
          else assert.deepEqual([status, body.code], [404, 'not_found'], `${parameter} (${format})`)
        }
      }
    })
}

/** The lists of changes of a resource: those whose items have `_destroy`. */
const changesIn = ({ fields }: Resource) =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'objects' && field.writeOnly && Object.hasOwn(field.of, '_destroy') ? [name] : [],
  )
const lists = Object.values(catalog).flatMap((resource: Resource) =>
  changesIn(resource).map((list) => ({ resource, list, at: `${resource.plural}.${list}` })),
)

test('every list of nested changes is tested, here or in its own file', () => {
  const tried = [...Object.keys(samples), ...shownElsewhere]
  assert.deepEqual(lists.map(({ at }) => at).sort(), tried.sort())
})

type Item = Readonly<Record<string, unknown>>
const idOf = ({ _id, id }: Item) => String(_id ?? id)

for (const { resource, list, at } of lists.filter(({ at }) => !shownElsewhere.has(at)))
  for (const format of formats)
    test(`${at}: an id changes one, none creates one, _destroy removes one, and ids of others are not found (${format})`, async () => {
      const { item, change, shownAs } = samples[at] as (typeof samples)[string]
      const endpoint = ours.find((each) => each.resource === resource && each.name === 'update') as Endpoint
      const mine = await recordOf(endpoint, api, format, list, shownAs)
      const [first, second] = [await item(api.channel), await item(api.channel)]

      const [one, ...none] = await mine.write([first])
      assert.ok(one && none.length === 0)
      const both = await mine.write([{ id: idOf(one), ...change }, second])
      assert.deepEqual(both.map(idOf).includes(idOf(one)), true)
      const changed = both.find((each) => idOf(each) === idOf(one)) as Item
      assert.deepEqual({ ...changed, ...times }, { ...one, ...change, ...times })
      assert.equal(both.length, 2)

      const theirs = await recordOf(endpoint, { ...api, channel: api.other }, format, list, shownAs)
      const [foreign] = await theirs.write([await item(api.other)])
      const id = idOf(foreign ?? {})
      for (const refused of [
        { id, ...change },
        { id, _destroy: true },
      ]) {
        const { status, body } = await mine.send([refused])
        assert.equal(status, 404, body.message)
      }
      assert.deepEqual(await theirs.read(), [foreign])

      const left = await mine.write([{ id: idOf(one), _destroy: true }])
      assert.deepEqual(
        left,
        both.filter((each) => each !== changed),
      )
    })

const times = { updated_at: null }

/** Creates a record of the channel. Returns functions that send changes to one of its lists and read the list. */
async function recordOf(endpoint: Endpoint, where: TestApi, format: Format, list: string, shownAs: string) {
  const headers = { 'x-api-key': where.channel.keys.admin }
  const target = await targetOf(where, endpoint)
  const { title: _, description: __, ...fields } = target.fields
  const address = `${api.url}${endpoint.path.replace(':id', target.id)}`
  const query = new URLSearchParams({ ...(fields as Record<string, string>), include_related_videos: 'true' })
  const send = (changes: readonly object[]) =>
    perform(where, endpoint, { ...target, fields: { ...fields, [list]: changes } }, headers, format)
  const read = async () =>
    (await ask(`${address}?${query}`, format, { headers: { ...headers, ...lenient } })).body.response[
      shownAs
    ] as Item[]
  const write = async (changes: readonly object[]) => {
    const { status, body } = await send(changes)
    assert.equal(status, 200, body.message)
    return read()
  }
  return { send, read, write }
}
