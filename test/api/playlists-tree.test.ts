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
const childrenOf = async (parent_id: string) =>
  (await api.as('app').playlists.list({ parent_id, sort: 'priority' })).response.map(
    ({ title, priority }) => [title, priority],
  )

test('children stand in the order of their priority, and a newcomer comes after the one who has its place', async () => {
  const { playlists } = api.as('admin')
  const { _id: parent_id } = await newPlaylist('Order')
  const a = await newPlaylist('A', { parent_id })
  await newPlaylist('B', { parent_id })
  const c = await newPlaylist('C', { parent_id, priority: 0 })
  assert.deepEqual(await childrenOf(parent_id), [
    ['A', 0],
    ['C', 1],
    ['B', 2],
  ])
  await playlists.update(a._id, { priority: 2 })
  assert.deepEqual(await childrenOf(parent_id), [
    ['C', 1],
    ['B', 2],
    ['A', 3],
  ])
  await playlists.update(c._id, { priority: 1, title: 'C again' })
  const other = await newPlaylist('Other')
  await playlists.update(c._id, { parent_id: other._id })
  assert.deepEqual(await childrenOf(other._id), [['C again', 0]])
  await ask(`${api.url}/playlists/${c._id}?api_key=${api.channel.keys.admin}&playlist[parent_id]=`, 'json', {
    method: 'PUT',
  })
  assert.equal((await playlists.get(c._id)).parent_id, null)
})

test('a playlist cannot lie inside itself, nor more than ten deep', async () => {
  const { playlists } = api.as('admin')
  const line: string[] = []
  for (let depth = 0; depth < 10; depth += 1)
    line.push((await newPlaylist(`Depth ${depth}`, { parent_id: line.at(-1) ?? null }))._id)
  const [top = '', second = ''] = line
  for (const parent_id of [top, second, line.at(-1) ?? ''])
    await assert.rejects(playlists.update(top, { parent_id }), { status: 422, message: /inside itself/ })
  const tooDeep = { status: 422, message: /more than 10 deep/ }
  await assert.rejects(newPlaylist('Eleventh', { parent_id: line.at(-1) }), tooDeep)
  const { _id } = await newPlaylist('Above')
  await assert.rejects(playlists.update(top, { parent_id: _id }), tooDeep)
  await playlists.update(second, { parent_id: _id })
})

test('videos are in the playlists above too, and follow when those move or go', async () => {
  const { playlists, videos } = api.as('admin')
  const show = await newPlaylist('Show')
  const season = await newPlaylist('Season', { parent_id: show._id })
  const part = await newPlaylist('Part', { parent_id: season._id })
  const extra = await newPlaylist('Extra', { parent_id: season._id })
  const [a, b] = [await newVideo('A'), await newVideo('B')]
  await playlists.addVideos(part._id, { video_id: [a] })
  await playlists.addVideos(season._id, { video_id: [a, b] })
  const inside = async ({ _id }: { _id: string }) =>
    (await api.as('app').videos.list({ 'playlist_id.inclusive': _id, sort: 'title' })).response
      .map(({ title }) => title)
      .join('')
  assert.deepEqual([await inside(show), await inside(season), await inside(part)], ['AB', 'AB', 'A'])
  assert.deepEqual((await playlists.videos(show._id)).response, [])

  await playlists.update(part._id, { parent_id: null })
  assert.deepEqual((await videos.get(a)).related_playlist_ids, [show._id, season._id, part._id].sort())
  await playlists.removeVideos(season._id, { video_id: [a] })
  assert.deepEqual([await inside(show), await inside(part)], ['B', 'A'])
  await playlists.update(part._id, { parent_id: season._id })

  await playlists.remove(season._id)
  assert.deepEqual([await inside(show), await inside(season), await inside(part)], ['A', '', 'A'])
  assert.deepEqual(await childrenOf(show._id), [
    ['Extra', 0],
    ['Part', 1],
  ])
  assert.equal((await playlists.get(extra._id)).parent_id, show._id)
  assert.deepEqual((await videos.get(b)).related_playlist_ids, [])
})

for (const format of formats)
  test(`relationships show how active playlists lie inside each other (${format})`, async () => {
    const root = await newPlaylist('Root')
    const leaf = await newPlaylist('Leaf', { parent_id: root._id })
    const branch = await newPlaylist('Branch', { parent_id: root._id })
    const deep = await newPlaylist('Deep', { parent_id: branch._id })
    const hidden = await newPlaylist('Hidden', { parent_id: root._id, active: false })
    await newPlaylist('In hidden', { parent_id: hidden._id })
    const tree = [
      { id: leaf._id, title: 'Leaf', priority: 0 },
      {
        id: branch._id,
        title: 'Branch',
        priority: 1,
        playlists: [{ id: deep._id, title: 'Deep', priority: 0 }],
      },
    ]
    for (const who of ['admin', 'read_only', 'app'] as const) {
      const { playlists } = api.as(who, format)
      assert.deepEqual(await playlists.relationships({ parent_id: root._id }), tree)
      const all = await playlists.relationships()
      assert.deepEqual(
        all.find(({ id }) => id === root._id),
        { id: root._id, title: 'Root', priority: root.priority, playlists: tree },
      )
    }
    const address = `${api.url}/playlists/relationships?api_key=${api.channel.keys.admin}&parent_id=${root._id}`
    const { status, text } = await ask(address, format)
    assert.equal(status, 200)
    if (format === 'json') assert.deepEqual(JSON.parse(text), { playlists: tree })
    else assert.match(text, /<playlists type="array"><playlist><id>.*<playlists type="array"><playlist><id>/)
  })

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
    await tagged('B', ['Drama'], ['Dark'], { published_at })
    await tagged('A', ['Comedy', 'Drama'], [], { published_at })
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
      const { playlist_item_count } = await playlists.update(made._id, change as never)
      assert.deepEqual([await inside(), playlist_item_count], [titles, titles.length])
    }
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
  })

test('rules and types that cannot be are refused', async () => {
  const { playlists } = api.as('admin')
  const foreign = await api.other.as('admin').categories.create({ title: 'Foreign', values: ['Drama'] })
  const genre = await api.as('admin').categories.create({ title: 'Strict', values: ['Drama'] })
  const { _id } = await newPlaylist('Ruled', { playlist_type: 'category' })
  const bad = [
    [{ categories: [{ category_id: foreign._id }] }, /category_id is not that of a category/],
    [{ categories: [{ title: 'Foreign' }] }, /title is not that of a category/],
    [{ categories: [{ category_id: genre._id, value: ['Opera'] }] }, /Opera is not/],
    [{ categories: [{ category_id: genre._id, exclude_values: ['Opera'] }] }, /Opera is not/],
    [{ sort_options: [{ sort_by: 'rating' }] }, /sort_options sort_by must be one of/],
    [{ sort_options: [{ direction: 'asc' }] }, /sort_options sort_by is required/],
    [{ sort_options: Array(3).fill({ sort_by: 'title' }) }, /at most 2 items/],
  ] as const
  for (const [fields, message] of bad)
    await assert.rejects(playlists.update(_id, fields as never), { status: 422, message })
  const video_id = [await newVideo('By hand')]
  await assert.rejects(playlists.addVideos(_id, { video_id }), { status: 422, message: /fills itself/ })
  const manual = await newPlaylist('Manual')
  await playlists.addVideos(manual._id, { video_id })
  const stays = { status: 422, message: /stays manual/ }
  await assert.rejects(playlists.update(manual._id, { playlist_type: 'category' }), stays)
  await playlists.removeVideos(manual._id, { video_id })
  await playlists.update(manual._id, { playlist_type: 'category' })
})
