import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { followCategory } from '../../packages/server/src/jobs/follow-category.job.js'
import { formats, startOwnApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startOwnApi()
})
after(() => api.stop())

let names = 0
const newTitle = (word = 'Genre') => {
  names += 1
  return `${word} ${names}`
}
const newCategory = (values = ['Drama', 'Comedy', 'Horror'], title = newTitle()) =>
  api.as('admin').categories.create({ title, values })

for (const format of formats) {
  test(`a category can be made, read, listed, changed and removed (${format})`, async () => {
    const { categories } = api.as('admin', format)
    const title = newTitle('The Mood')
    const made = await categories.create({ title, values: ['Dark', 'Silly', 'Dark'] })
    assert.deepEqual(made, {
      _id: made._id,
      site_id: api.channel.channel._id,
      created_at: made.created_at,
      updated_at: made.updated_at,
      title,
      friendly_title: title.toLowerCase().replaceAll(' ', '-'),
      values: ['Dark', 'Silly'],
    })
    for (const who of ['read_only', 'app'] as const) {
      const reader = api.as(who, format).categories
      assert.deepEqual(await reader.get(made._id), made)
      assert.deepEqual((await reader.list({ title })).response, [made])
      await assert.rejects(reader.update(made._id, { title: 'No' }), { status: 403 })
    }
    assert.deepEqual((await categories.list({ q: title })).response, [made])
    const changed = await categories.update(made._id, { values: [] })
    assert.deepEqual(changed, { ...made, values: [], updated_at: changed.updated_at })
    await categories.remove(made._id)
    await assert.rejects(categories.get(made._id), { status: 404, message: 'Category not found' })
  })

  test(`a video gets categories with values, and each is changed and removed by its id (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const genre = await newCategory()
    const mood = await newCategory(['Dark', 'Silly'], newTitle('Mood'))
    const made = await videos.create({
      title: 'Alien',
      categories_attributes: [
        { category_id: genre._id, value: ['Horror', 'Drama', 'Horror'] },
        { title: mood.title, value: ['Dark'] },
      ],
    })
    const [first, second] = made.categories
    assert.ok(first && second)
    assert.deepEqual(made.categories, [
      { _id: first._id, category_id: genre._id, title: genre.title, value: ['Horror', 'Drama'] },
      { _id: second._id, category_id: mood._id, title: mood.title, value: ['Dark'] },
    ])
    assert.ok(!('categories_attributes' in made))
    assert.deepEqual((await videos.list({ category: { [genre.title]: 'Drama' } })).response, [made])

    const changed = await videos.update(made._id, {
      categories_attributes: [{ id: first._id, value: ['Comedy'] }],
    })
    assert.deepEqual(changed.categories, [{ ...first, value: ['Comedy'] }, second])
    const again = await videos.update(made._id, {
      categories_attributes: [{ category_id: mood._id, value: [] }],
    })
    assert.deepEqual(again.categories, [
      { ...first, value: ['Comedy'] },
      { ...second, value: [] },
    ])
    const fewer = await videos.update(made._id, {
      categories_attributes: [{ id: first._id, _destroy: true }],
    })
    assert.deepEqual(fewer.categories, [{ ...second, value: [] }])
    assert.deepEqual((await videos.update(made._id, { title: 'Aliens' })).categories, fewer.categories)
    assert.deepEqual((await videos.update(made._id, { categories_attributes: [] })).categories, [])
  })

  test(`unknown categories, values and entries are rejected, and nothing is changed (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const genre = await newCategory()
    const foreign = await api.other.as('admin').categories.create({ title: newTitle(), values: ['Drama'] })
    const { _id, categories } = await videos.create({
      title: 'Whole',
      categories_attributes: [{ category_id: genre._id, value: ['Drama'] }],
    })
    const bad = [
      [{ category_id: genre._id, value: ['Opera'] }, /value must be among those of .*: Opera is not/],
      [{ title: foreign.title, value: ['Drama'] }, /is not that of a category/],
      [{ value: ['Drama'] }, /category_id is required/],
      [{ category_id: 'x' }, /category_id must be an id/],
    ] as const
    for (const [change, message] of bad) {
      const refused = { status: 422, message }
      const fields = { title: 'Half', categories_attributes: [change as never] }
      await assert.rejects(videos.update(_id, fields), refused)
      await assert.rejects(videos.create(fields), refused)
    }
    const missing = { status: 404, message: 'Category not found' }
    for (const change of [
      { category_id: foreign._id, value: ['Drama'] },
      { id: genre._id, value: ['Drama'] },
    ]) {
      const fields = { title: 'Half', categories_attributes: [change] }
      await assert.rejects(videos.update(_id, fields), missing)
      await assert.rejects(videos.create(fields), missing)
    }
    const now = await videos.get(_id)
    assert.deepEqual([now.title, now.categories], ['Whole', categories])
  })

  test(`a second category with the same title is rejected in the same channel (${format})`, async () => {
    const { categories } = api.as('admin', format)
    const [one, two] = [await newCategory(), await newCategory()]
    const taken = { status: 422, message: 'Could not save category: another one has this title.' }
    await assert.rejects(categories.create({ title: one.title }), taken)
    await assert.rejects(categories.update(two._id, { title: one.title }), taken)
    await api.other.as('admin').categories.create({ title: one.title })
  })
}

const writes: readonly (readonly [string, (id: string) => string])[] = [
  [
    'a form with empty brackets',
    (id) =>
      `video[categories_attributes][][category_id]=${id}&video[categories_attributes][][value][]=Drama&video[categories_attributes][][value][]=Comedy`,
  ],
  [
    'a form with numbers',
    (id) =>
      `video[categories_attributes][0][category_id]=${id}&video[categories_attributes][0][value][0]=Drama&video[categories_attributes][0][value][1]=Comedy`,
  ],
  [
    'JSON',
    (id) => `{"video":{"categories_attributes":[{"category_id":"${id}","value":["Drama","Comedy"]}]}}`,
  ],
  [
    'JSON with numbers',
    (id) => `{"video":{"categories_attributes":{"0":{"category_id":"${id}","value":["Drama","Comedy"]}}}}`,
  ],
  [
    'XML as it leaves',
    (id) =>
      `<video><categories_attributes type="array"><category><category_id>${id}</category_id><value type="array"><value>Drama</value><value>Comedy</value></value></category></categories_attributes></video>`,
  ],
  [
    'bare XML',
    (id) =>
      `<video><categories_attributes><category_id>${id}</category_id><value>Drama</value><value>Comedy</value></categories_attributes></video>`,
  ],
]
for (const [what, body] of writes)
  test(`nested fields are read from ${what}`, async () => {
    const genre = await newCategory()
    const { _id } = await api.as('admin').videos.create({ title: 'Plain' })
    const text = body(genre._id)
    const type = text.startsWith('<') ? 'text/xml' : text.startsWith('{') ? 'application/json' : undefined
    const address = `${api.url}/videos/${_id}?api_key=${api.channel.keys.admin}`
    const put = (sent: string) =>
      ask(address, 'json', {
        method: 'PUT',
        headers: { 'content-type': type ?? 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: sent,
      })
    assert.equal((await put(text)).status, 200)
    const [entry] = (await api.as('admin').videos.get(_id)).categories
    assert.deepEqual([entry?.category_id, entry?.value], [genre._id, ['Drama', 'Comedy']])
    if (type) return
    assert.equal((await put('video[categories_attributes][]=')).status, 200)
    assert.deepEqual((await api.as('admin').videos.get(_id)).categories, [])
  })

test('videos are updated when a category is renamed, loses values, or is removed', async () => {
  const { videos, categories } = api.as('admin')
  const genre = await newCategory(['Drama', 'Comedy', 'Horror'])
  const mood = await newCategory(['Dark'], newTitle('Mood'))
  const { _id } = await videos.create({
    title: 'Follower',
    categories_attributes: [
      { category_id: genre._id, value: ['Drama', 'Comedy', 'Horror'] },
      { category_id: mood._id, value: ['Dark'] },
    ],
  })
  const values = async () =>
    (await videos.get(_id)).categories.map(({ title, value }) => [title, value.join()])
  await categories.update(genre._id, { values: ['Tragedy', 'Comedy'] })
  assert.deepEqual(await values(), [
    [genre.title, 'Tragedy,Comedy'],
    [mood.title, 'Dark'],
  ])
  const title = newTitle('Kind')
  await categories.update(genre._id, { title, values: ['Comedy'] })
  assert.deepEqual(await values(), [
    [title, 'Comedy'],
    [mood.title, 'Dark'],
  ])
  assert.deepEqual(
    (await videos.list({ category: { [title]: 'Comedy' } })).response.map((video) => video._id),
    [_id],
  )
  await categories.remove(genre._id)
  assert.deepEqual(await values(), [[mood.title, 'Dark']])
})

test('more than a thousand videos are updated in the background, despite further changes of the category', async () => {
  const { db } = api.database
  const { categories } = api.as('admin')
  const genre = await newCategory(['Old'])
  const entry = [{ _id: genre._id, category_id: genre._id, title: genre.title, value: ['Old'] }]
  await db`
    insert into videos (_id, site_id, title, friendly_title, categories)
    select 'c' || lpad(to_hex(n), 23, '0'), ${api.channel.channel._id}, 'Many', 'many-' || n, ${JSON.stringify(entry)}::text::jsonb
    from generate_series(1, 1500) as n
  `
  const counts = () => db<{ value: string; videos: string }[]>`
    select categories -> 0 -> 'value' ->> 0 as value, count(*) as videos from videos where title = 'Many' group by 1
  `
  await categories.update(genre._id, { values: ['Newer'] })
  assert.equal((await counts()).length, 2)
  await categories.update(genre._id, { values: ['Newest'] })
  const waiting = await db<{ payload: never }[]>`
    select payload from graphile_worker._private_jobs as jobs
    join graphile_worker._private_tasks as tasks on tasks.id = task_id where identifier = 'follow-category'
  `
  assert.equal(waiting.length, 2)
  for (const { payload } of waiting) await followCategory.run(payload, { database: api.database } as never)
  assert.deepEqual([...(await counts())], [{ value: 'Newest', videos: '1500' }])
})
