import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const newPlaylist = (title: string, fields = {}) => api.as('admin').playlists.create({ title, ...fields })
const newVideo = async (title: string, fields = {}) =>
  (await api.as('admin').videos.create({ title, ...fields }))._id

for (const format of formats)
  test(`a playlist fills itself by categories (${format})`, async () => {
    const { playlists, categories } = api.as('admin', format)
    const genre = await categories.create({ title: `Genre ${format}`, values: ['Drama', 'Comedy', 'Horror'] })
    const mood = await categories.create({ title: `Mood ${format}`, values: ['Dark', 'Silly'] })
    const tagged = async (title: string, genres: string[], moods: string[], fields = {}) =>
      newVideo(title, {
        ...fields,
        categories_attributes: [
          { category_id: genre._id, value: genres },
          { category_id: mood._id, value: moods },
        ],
      })
    const published_at = '2020-01-01'
    const b = await tagged('B', ['Drama'], ['Dark'], { published_at })
    const a = await tagged('A', ['Comedy', 'Drama'], [], { published_at })
    const c = await tagged('C', ['Horror'], ['Silly'], { published_at: '2021-01-01' })
    await tagged('Hidden', ['Drama'], ['Dark'], { active: false })
    await newVideo('None')
    const made = await playlists.create({
      title: 'By rules',
      playlist_type: 'category',
      categories: [{ category_id: genre._id, value: ['Drama', 'Horror'] }],
      sort_options: [{ sort_by: 'title', direction: 'desc' }],
    })
    const { title } = genre
    assert.deepEqual(made.categories, [
      { category_id: genre._id, title, value: ['Drama', 'Horror'], exclude_values: [] },
    ])
    assert.equal(made.playlist_item_count, 3)
    const inside = async (query = {}) => {
      const { response, pagination } = await api.as('app', format).playlists.videos(made._id, query)
      assert.equal(pagination.pages, response.length > 0 ? 1 : 0)
      return response.map((video) => video.title).join('')
    }
    assert.equal(await inside(), 'CBA')
    assert.equal(await inside({ sort: 'title' }), 'ABC')
    assert.equal(await inside({ category: { [mood.title]: 'Dark' } }), 'B')
    const changes = [
      [{ sort_options: [] }, 'CAB'],
      [{ sort_options: [{ sort_by: 'published_at', direction: 'desc' }, { sort_by: 'title' }] }, 'CAB'],
      [{ sort_options: [{ sort_by: 'published_at' }, { sort_by: 'title', direction: 'desc' }] }, 'BAC'],
      [{ categories: [{ category_id: genre._id }] }, 'BAC'],
      [{ categories: [{ title, exclude_values: ['Comedy'] }] }, 'BC'],
      [
        {
          categories: [
            { title, value: ['Drama'] },
            { title: mood.title, value: ['Silly'] },
          ],
        },
        'BAC',
      ],
      [{ match_type: 'all' }, ''],
      [
        {
          categories: [
            { title, value: ['Drama'] },
            { title: mood.title, value: ['Dark'] },
          ],
        },
        'B',
      ],
      [{ categories: [] }, ''],
      [{ match_type: 'any', categories: [{ title, value: ['Horror', 'Drama'] }] }, 'BAC'],
    ] as const
    for (const [change, titles] of changes) {
      const { playlist_item_count, related_video_ids } = await playlists.update(made._id, change as never)
      assert.deepEqual([await inside(), playlist_item_count], [titles, titles.length])
      const named = related_video_ids.map((id) => ({ [a]: 'A', [b]: 'B', [c]: 'C' })[id]).join('')
      assert.equal(named, titles)
    }
    const above = await newPlaylist('Above rules')
    await playlists.update(made._id, { parent_id: above._id })
    const { videos } = api.as('admin', format)
    assert.deepEqual((await videos.get(c)).related_playlist_ids.sort(), [made._id, above._id].sort())
    for (const id of [made._id, above._id]) {
      const { response, pagination } = await videos.list({ 'playlist_id.inclusive': id, per_page: 1 })
      assert.deepEqual([response.length, pagination.pages], [1, 3])
    }
    assert.deepEqual(
      (await playlists.list({ video_id: c })).response.map(({ _id }) => _id),
      [made._id],
    )
    const counted = await ask(
      `${api.url}/playlists/${made._id}?api_key=${api.channel.keys.admin}&response_fields=playlist_item_count`,
      format,
    )
    assert.deepEqual(counted.body.response, { _id: made._id, playlist_item_count: 3 })
    const around = await playlists.videosRelative(made._id, { anchor_video_id: c, before: 1 })
    assert.deepEqual(
      around.response.map((video) => video.title),
      ['A'],
    )
    assert.equal((await playlists.videos(made._id, { active: 'all' })).response.length, 4)

    await categories.update(genre._id, { values: ['Tragedy', 'Comedy', 'Horror'] })
    const followed = await playlists.get(made._id)
    assert.deepEqual([followed.categories[0]?.value, await inside()], [['Horror', 'Tragedy'], 'BAC'])
    assert.deepEqual(
      (await playlists.list({ category: { [title]: 'Tragedy' } })).response.map(({ _id }) => _id),
      [made._id],
    )
    await categories.update(genre._id, { values: ['Tragedy'] })
    assert.deepEqual((await videos.get(c)).related_playlist_ids, [])
    await playlists.update(made._id, { categories: [{ category_id: mood._id, value: ['Silly'] }] })
    assert.deepEqual((await videos.get(c)).related_playlist_ids.sort(), [made._id, above._id].sort())
    await playlists.remove(made._id)
    assert.deepEqual((await videos.get(c)).related_playlist_ids, [])
    assert.deepEqual((await playlists.list({ video_id: c })).response, [])
  })

test('videos list the playlists they match, even when rules, categories and the tree change concurrently', async () => {
  const { playlists, categories, videos } = api.as('admin')
  const values = ['"One"', 'Two \\ two', "Three's"]
  const { _id: category_id } = await categories.create({ title: 'Contended', values })
  const [top, other] = [await newPlaylist('Top'), await newPlaylist('Other')]
  const ruled = await newPlaylist('Ruled', { playlist_type: 'category' })
  const films = await Promise.all(
    values.map((value) => newVideo(value, { categories_attributes: [{ category_id, value: [value] }] })),
  )
  const some = (index: number) => [values[index % 3] ?? '']
  for (let round = 0; round < 6; round += 1)
    await Promise.all([
      ...films.map((id, index) =>
        videos.update(id, { categories_attributes: [{ category_id, value: some(round + index) }] }),
      ),
      playlists.update(ruled._id, { categories: [{ category_id, value: some(round) }] }),
      playlists.update(ruled._id, { parent_id: round % 2 ? top._id : other._id }),
      playlists.create({
        title: 'Another',
        playlist_type: 'category',
        categories: [{ category_id, value: some(round) }],
      }),
      categories.update(category_id, { title: `Contended ${round}` }),
    ])
  const wrong = await api.database.db`
    select _id from videos where site_id = ${api.channel.channel._id}
      and related_playlist_ids is distinct from playlists_of_video(site_id, _id, categories)
  `
  assert.deepEqual([...wrong], [])
  const full = await Promise.all(films.map(async (id) => (await videos.get(id)).related_playlist_ids.length))
  assert.ok(full.reduce((sum, count) => sum + count, 0) >= 8, full.join())
})

test('removing a value or category never adds videos to a playlist', async () => {
  const { playlists, categories } = api.as('admin')
  const genre = await categories.create({ title: 'Passing', values: ['Kept', 'Gone'] })
  const mood = await categories.create({ title: 'Lasting', values: ['Calm'] })
  await newVideo('In both', {
    categories_attributes: [
      { category_id: genre._id, value: ['Kept'] },
      { category_id: mood._id, value: ['Calm'] },
    ],
  })
  const rules = [{ category_id: genre._id, value: ['Gone'] }, { category_id: mood._id }]
  const made = async (match_type: 'any' | 'all', given: typeof rules) =>
    (await newPlaylist(`Passing ${match_type}`, { playlist_type: 'category', match_type, categories: given }))
      ._id
  const [one, any, all] = [
    await made('any', rules.slice(0, 1)),
    await made('any', rules),
    await made('all', rules),
  ]
  const counts = () =>
    Promise.all([one, any, all].map(async (id) => (await playlists.get(id)).playlist_item_count))
  assert.deepEqual(await counts(), [0, 1, 0])
  await categories.update(genre._id, { values: ['Kept'] })
  assert.deepEqual(await counts(), [0, 1, 0])
  assert.deepEqual((await playlists.get(one)).categories, [])
  await categories.remove(genre._id)
  assert.deepEqual(await counts(), [0, 1, 0])
})

test('invalid rules and types are rejected', async () => {
  const { playlists } = api.as('admin')
  const foreign = await api.other.as('admin').categories.create({ title: 'Foreign', values: ['Drama'] })
  const genre = await api.as('admin').categories.create({ title: 'Strict', values: ['Drama'] })
  const { _id } = await newPlaylist('Ruled', { playlist_type: 'category' })
  const bad = [
    [{ categories: [{ title: 'Foreign' }] }, /title is not that of a category/],
    [{ categories: [{ category_id: genre._id, value: ['Opera'] }] }, /Opera is not/],
    [{ categories: [{ category_id: genre._id, exclude_values: ['Opera'] }] }, /Opera is not/],
    [{ sort_options: [{ sort_by: 'rating' }] }, /sort_options sort_by must be one of/],
    [{ sort_options: [{ direction: 'asc' }] }, /sort_options sort_by is required/],
    [{ sort_options: Array(3).fill({ sort_by: 'title' }) }, /at most 2 items/],
  ] as const
  for (const [fields, message] of bad)
    await assert.rejects(playlists.update(_id, fields as never), { status: 422, message })
  const missing = { status: 404, message: 'Category not found' }
  await assert.rejects(playlists.update(_id, { categories: [{ category_id: foreign._id }] }), missing)
  const video_id = [await newVideo('By hand')]
  await assert.rejects(playlists.addVideos(_id, { video_id }), { status: 422, message: /fills itself/ })
  const manual = await newPlaylist('Manual')
  await playlists.addVideos(manual._id, { video_id })
  const stays = { status: 422, message: /stays manual/ }
  await assert.rejects(playlists.update(manual._id, { playlist_type: 'category' }), stays)
  await playlists.removeVideos(manual._id, { video_id })
  await playlists.update(manual._id, { playlist_type: 'category' })
})
