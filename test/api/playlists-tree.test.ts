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

test('children are ordered by priority, and a new one comes after an equal one', async () => {
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

test('a playlist cannot be inside itself, nor more than ten levels deep', async () => {
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

test('videos are in the playlists above too, and are updated when those are moved or removed', async () => {
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
  test(`relationships show the tree of active playlists (${format})`, async () => {
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

test('concurrent changes of videos and playlists keep counts right, and no request fails', async () => {
  const { playlists, videos } = api.as('admin')
  const [one, other] = await Promise.all(
    ['One', 'Other'].map(async (title) => (await playlists.create({ title }))._id),
  )
  const made = await Promise.all(
    Array.from({ length: 16 }, async (_, index) => (await videos.create({ title: `Busy ${index}` }))._id),
  )
  await Promise.all(
    made.flatMap((id) => [
      playlists.addVideos(one ?? '', { video_id: [id] }),
      playlists.addVideos(other ?? '', { video_id: [id] }),
    ]),
  )
  const hidden = made.slice(0, 8)
  await Promise.all([
    ...hidden.map((id) => videos.update(id, { active: false })),
    playlists.removeVideos(other ?? '', { video_id: made.slice(12) }),
  ])
  const shown = async (id = '') => {
    const { playlist_item_count, related_video_ids } = await playlists.get(id)
    return [playlist_item_count, [...(related_video_ids as string[])].sort()]
  }
  assert.deepEqual(await shown(one), [8, made.slice(8).sort()])
  assert.deepEqual(await shown(other), [4, made.slice(8, 12).sort()])
})
