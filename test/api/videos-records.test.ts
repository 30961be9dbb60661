import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catalog, type Field, isShown, writableFields } from '@zoetrope/contract'
import { purgeRemoved } from '../../packages/server/src/jobs/purge-removed.job.js'
import { formats, startApi, type TestApi } from '../support/api.js'
import { jobContext } from '../support/job-context.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const nobody = 'f'.repeat(24)
const context = () => jobContext(api)

/** Returns a value that the field does not have yet. */
function another(name: string, field: Field, format: string): unknown {
  if (field.kind === 'text') {
    const formatted = { url: 'https://example.com/a', language: 'pt-BR' }[field.format as string]
    return formatted ?? `another-${name}-${format}`
  }
  const values: Partial<Record<Field['kind'], unknown>> = {
    integer: 7,
    number: 2.5,
    money: '12.50',
    timestamp: '2031-02-03T04:05:06.789Z',
    list: ['one', 'two'],
    map: name === 'formats' ? { hls_240p: false } : { a: 1, b: { c: null } },
  }
  if (field.kind === 'flag') return !field.default
  return field.kind === 'choice' ? field.options[1] : values[field.kind]
}

/** Returns the other fields that change together with a field. */
function following(name: string, value: unknown): object {
  if (name === 'enable_at') return { active: false }
  const unknown = { width: null, height: null, aspect_ratio: null }
  return name === 'custom_thumbnail_url' ? { thumbnails: [{ url: value, ...unknown, name: 'custom' }] } : {}
}

for (const format of formats) {
  // source_url is stored by the import only. References to other records have their own tests.
  const others = ['source_url', 'preview_ids', 'zobject_ids', 'segments', 'content_rule_profile_id']
  const kept = ([name, field]: [string, Field]) => !others.includes(name) && isShown(field)
  for (const [name, field] of writableFields(catalog.videos).filter(kept))
    test(`an update of ${name} changes it and nothing else (${format})`, async () => {
      const { videos } = api.as('admin', format)
      const made = await videos.create({ title: 'Full', genre: 'Drama', keywords: ['a'], season: 3 })
      const value = another(name, field, format)
      const changed = await videos.update(made._id, { [name]: value })
      const follows = following(name, value)
      assert.deepEqual(changed, { ...made, [name]: value, ...follows, updated_at: changed.updated_at })
      assert.ok(changed.updated_at > made.updated_at)
      assert.deepEqual(await videos.get(made._id), changed)
    })

  test(`fields that the platform sets are ignored in a request (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const made = await videos.create({ title: 'Mine' })
    const forged = {
      _id: nobody,
      site_id: nobody,
      status: 'ready',
      request_count: 9,
      created_at: '2001-01-01',
    }
    const changed = await videos.update(made._id, forged as never)
    assert.deepEqual(changed, { ...made, updated_at: changed.updated_at })
  })

  test(`a friendly title is derived from the title, and unique (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const made = []
    for (let n = 0; n < 4; n += 1) made.push(await videos.create({ title: `Über Größe & Co. (${format})!` }))
    assert.equal(made[0]?.friendly_title, `uber-große-co-${format}`)
    const titles = made.map(({ friendly_title }) => friendly_title)
    assert.equal(new Set(titles).size, 4)
    for (const { _id, friendly_title } of made) {
      const { response } = await videos.list({ friendly_title })
      assert.deepEqual(
        response.map((video) => video._id),
        [_id],
      )
    }
  })

  test(`a friendly title that is given is kept, and a title without letters has one too (${format})`, async () => {
    const { videos } = api.as('admin', format)
    assert.equal(
      (await videos.create({ title: 'A', friendly_title: `My-Own-${format}` })).friendly_title,
      `My-Own-${format}`,
    )
    assert.match((await videos.create({ title: '!!!' })).friendly_title, /^untitled/)
    await assert.rejects(videos.create({ title: 'A', friendly_title: 'a b' }), { status: 422 })
  })

  test(`friendly titles of another channel do not conflict (${format})`, async () => {
    const title = `Everywhere ${format}`
    const [ours, theirs] = [
      await api.as('admin').videos.create({ title }),
      await api.other.as('admin').videos.create({ title }),
    ]
    assert.equal(ours.friendly_title, theirs.friendly_title)
  })

  test(`a deleted video is gone for everyone, and can be restored (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const made = await videos.create({ title: 'Gone' })
    await videos.remove(made._id)
    const missing = { status: 404, message: 'Video not found' }
    await assert.rejects(videos.get(made._id), missing)
    await assert.rejects(api.as('read_only', format).videos.get(made._id), missing)
    await assert.rejects(videos.update(made._id, { title: 'x' }), missing)
    await assert.rejects(videos.remove(made._id), missing)
    assert.deepEqual((await videos.list({ id: made._id, active: 'all' })).response, [])

    const back = await videos.restore(made._id)
    assert.deepEqual(back, { ...made, updated_at: back.updated_at })
    assert.deepEqual(await api.as('read_only', format).videos.get(made._id), back)
    await assert.rejects(videos.restore(made._id), missing)
  })

  test(`an unknown video cannot be read, changed, deleted or restored (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const missing = { status: 404, message: 'Video not found' }
    for (const id of [nobody, 'none', '0', 'F'.repeat(24)]) {
      await assert.rejects(videos.get(id), missing)
      await assert.rejects(videos.update(id, { title: 'x' }), missing)
      await assert.rejects(videos.remove(id), missing)
      await assert.rejects(videos.restore(id), missing)
    }
  })

  test(`a deleted video is deleted for good at once, but no other video is (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const { _id } = await videos.create({ title: 'For good' })
    await assert.rejects(videos.purge(_id), {
      status: 422,
      message: 'This video is not deleted. Delete it first.',
    })
    await videos.remove(_id)
    await assert.rejects(api.other.as('admin', format).videos.purge(_id), { status: 404 })
    await videos.purge(_id)
    await assert.rejects(videos.restore(_id), { status: 404 })
    await assert.rejects(videos.purge(_id), { status: 404 })
    assert.deepEqual((await videos.list({ id: _id, deleted: true, active: 'all' })).response, [])
  })

  test(`a deleted video has the status deleted in its list, and its old status after a restore (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const { _id } = await videos.create({ title: 'Ready' })
    await api.database.db`update videos set status = 'ready' where _id = ${_id}`
    await videos.remove(_id)
    const { response } = await videos.list({ id: _id, deleted: true })
    assert.equal(response[0]?.status, 'deleted')
    assert.ok(response[0]?.deleted_at)
    const query = { deleted: true }
    assert.deepEqual(await videos.get(_id, { query }), response[0])
    await assert.rejects(api.as('read_only', format).videos.get(_id, { query }), { status: 403 })
    await assert.rejects(api.other.as('admin', format).videos.get(_id, { query }), { status: 404 })
    await assert.rejects(videos.get(_id, { query: { deleted: 'x' } }), { status: 422 })
    const { status, deleted_at } = await videos.restore(_id)
    assert.deepEqual([status, deleted_at], ['ready', null])
    assert.equal((await videos.get(_id, { query })).status, 'ready')
  })
}

test('after 30 days a deleted video cannot be restored and is removed for good', async () => {
  const { videos } = api.as('admin')
  const ids: string[] = []
  for (const age of ['29 days 23 hours', '30 days 1 minute', '400 days']) {
    const { _id } = await videos.create({ title: age, genre: 'aged' })
    await videos.remove(_id)
    await api.database.db`update videos set deleted_at = now() - ${age}::text::interval where _id = ${_id}`
    ids.push(_id)
  }
  const deleted = async () =>
    (await videos.list({ genre: 'aged', deleted: true } as never)).response.map(({ _id }) => _id)
  const [young = '', old = ''] = ids
  await assert.rejects(videos.restore(old), { status: 404 })
  assert.equal((await deleted()).length, 3)

  await purgeRemoved.run({}, context())
  assert.deepEqual(await deleted(), [young])
  const rows = await api.database.db`select _id from videos where _id = any(${ids}::text[])`
  assert.deepEqual(
    rows.map(({ _id }) => _id),
    [young],
  )
  assert.equal((await videos.restore(young)).title, '29 days 23 hours')
})

test('the purge removes only deleted videos', async () => {
  const { videos } = api.as('admin')
  const before = (await videos.list({ active: 'all', per_page: 1 })).pagination.pages
  await purgeRemoved.run({}, context())
  assert.equal((await videos.list({ active: 'all', per_page: 1 })).pagination.pages, before)
})
