import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openMmdb } from '../../packages/server/src/countries/mmdb.js'
import { formats, startOwnApi, type TestApi } from '../support/api.js'
import { exampleNetworks, writeMmdb } from '../support/mmdb.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  const file = openMmdb(writeMmdb({ networks: exampleNetworks }))
  api = await startOwnApi({ file, header: 'x-country', trustedProxies: ['loopback'] })
})
after(() => api.stop())

const german = { 'x-forwarded-for': '192.0.2.7' }
const american = { 'x-forwarded-for': '198.51.100.7' }
const inCountries = (...countries: string[]) => ({ geographies: [{ countries }] })
const newVideo = async (fields = {}) =>
  (await api.as('admin').videos.create({ title: 'Ruled', ...fields }))._id
const newPlaylist = async (fields = {}) =>
  (await api.as('admin').playlists.create({ title: 'Ruled', ...fields }))._id
const watch = async (id: string, headers: Record<string, string>) =>
  (await fetch(`${api.url}/embed/${id}?api_key=${api.channel.keys.player}`, { headers })).status
const both = async (id: string) => [await watch(id, german), await watch(id, american)]

for (const format of formats)
  test(`rules on playlists and categories are made, read, changed and removed like those on videos (${format})`, async () => {
    const admin = api.as('admin', format)
    const playlist_id = await newPlaylist()
    const { _id: category_id } = await admin.categories.create({ title: `Genre ${format}` })
    const given = { name: 'At home', policy: 'allow' as const, ...inCountries('DE') }
    const onPlaylist = await admin.playlist_content_rules.create(playlist_id, given)
    const onCategory = await admin.category_content_rules.create(category_id, given)
    assert.deepEqual([onPlaylist.playlist_id, onCategory.category_id], [playlist_id, category_id])
    assert.deepEqual((await admin.playlist_content_rules.list(playlist_id)).response, [onPlaylist])
    assert.deepEqual(await admin.playlist_content_rules.get(playlist_id, onPlaylist._id), onPlaylist)
    const enabled = await admin.playlist_content_rules.update(playlist_id, onPlaylist._id, { enabled: false })
    assert.equal(enabled.enabled, false)
    assert.equal((await admin.category_content_rules.list(category_id)).response.length, 1)
    assert.deepEqual(await admin.category_content_rules.get(category_id, onCategory._id), onCategory)
    const changed = await admin.category_content_rules.update(category_id, onCategory._id, { priority: 3 })
    assert.deepEqual(changed, { ...onCategory, priority: 3, updated_at: changed.updated_at })
    await admin.playlist_content_rules.remove(playlist_id, onPlaylist._id)
    const second = await admin.category_content_rules.create(category_id, given)
    await admin.category_content_rules.remove(category_id, second._id)
    await assert.rejects(admin.playlist_content_rules.get(playlist_id, onPlaylist._id), {
      status: 404,
      message: 'Playlist content rule not found',
    })
    const { playlist_content_rules: theirs, category_content_rules: theirCategories } = api.other.as(
      'admin',
      format,
    )
    await assert.rejects(theirs.list(playlist_id), { status: 404, message: 'Playlist not found' })
    await assert.rejects(theirCategories.create(category_id, {}), {
      status: 404,
      message: 'Category not found',
    })
  })

test('the rules of a playlist apply to its videos, and to those of playlists below it', async () => {
  const { playlists, playlist_content_rules: rules } = api.as('admin')
  const above = await newPlaylist()
  const below = await newPlaylist({ parent_id: above })
  const [inAbove, inBelow, elsewhere] = [await newVideo(), await newVideo(), await newVideo()]
  await playlists.addVideos(above, { video_id: [inAbove] })
  await playlists.addVideos(below, { video_id: [inBelow] })
  const { _id } = await rules.create(above, inCountries('DE'))
  for (const id of [inAbove, inBelow]) assert.deepEqual(await both(id), [403, 200])
  assert.deepEqual(await both(elsewhere), [200, 200])
  await playlists.removeVideos(below, { video_id: [inBelow] })
  assert.deepEqual(await both(inBelow), [200, 200])
  await rules.remove(above, _id)
  assert.deepEqual(await both(inAbove), [200, 200])
})

test('the rules of a category playlist apply to the videos it matches', async () => {
  const { categories, playlist_content_rules: rules } = api.as('admin')
  const { _id: category_id } = await categories.create({ title: 'Mood', values: ['Calm', 'Wild', 'Odd'] })
  const above = await newPlaylist()
  await newPlaylist({
    parent_id: above,
    playlist_type: 'category',
    categories: [{ category_id, value: ['Calm', 'Wild'], exclude_values: ['Odd'] }],
  })
  const mood = (...value: string[]) => newVideo({ categories_attributes: [{ category_id, value }] })
  const [calm, odd, none] = [await mood('Calm'), await mood('Calm', 'Odd'), await newVideo()]
  await rules.create(above, inCountries('DE'))
  assert.deepEqual(await both(calm), [403, 200])
  assert.deepEqual(await both(odd), [200, 200])
  assert.deepEqual(await both(none), [200, 200])
})

test('the rules of a category apply to videos that have it', async () => {
  const { categories, category_content_rules: rules } = api.as('admin')
  const { _id: category_id } = await categories.create({ title: 'Licence', values: ['Bought'] })
  const id = await newVideo({ categories_attributes: [{ category_id, value: ['Bought'] }] })
  await rules.create(category_id, { policy: 'allow', ...inCountries('US') })
  assert.deepEqual(await both(id), [403, 200])
  await categories.remove(category_id)
  assert.deepEqual(await both(id), [200, 200])
})

test('rules add up; among equal priorities the nearer one comes first, and may disable the others', async () => {
  const admin = api.as('admin')
  const playlist = await newPlaylist()
  const id = await newVideo()
  await admin.playlists.addVideos(playlist, { video_id: [id] })
  await admin.playlist_content_rules.create(playlist, { policy: 'allow', ...inCountries('US') })
  assert.deepEqual(await both(id), [403, 200])
  const own = await admin.video_content_rules.create(id, { policy: 'allow', ...inCountries('DE') })
  assert.deepEqual(await both(id), [200, 200])
  await admin.video_content_rules.update(id, own._id, {
    policy: 'deny',
    geographies: [{ countries: ['US'] }],
  })
  assert.deepEqual(await both(id), [403, 403])
  await admin.video_content_rules.update(id, own._id, { priority: 2 })
  assert.deepEqual(await both(id), [403, 200])
  await admin.video_content_rules.update(id, own._id, { stackable: false })
  assert.deepEqual(await both(id), [200, 403])
})

for (const format of formats)
  test(`GET /geoip returns the country of the caller, or of an address (${format})`, async () => {
    const read = (query: string, headers: Record<string, string> = german) =>
      ask(`${api.url}/geoip?app_key=${api.channel.app_key}${query}`, format, { headers })
    const { status, body } = await read('')
    const { site_id: _site, _id: _same, ...record } = body.response
    assert.deepEqual(
      [status, record],
      [
        200,
        {
          request: '192.0.2.7',
          ip: '192.0.2.7',
          country_code: 'DE',
          country_code2: 'DE',
          country_code3: 'DEU',
          country_name: 'Germany',
          continent_code: 'EU',
        },
      ],
    )
    const other = (await read('&ip_address=2001:db8::1')).body.response
    assert.deepEqual(
      [other.request, other.country_code3, other.country_name],
      ['2001:db8::1', 'JPN', 'Japan'],
    )
    const told = (await read('', { ...german, 'x-country': 'fr' })).body.response
    assert.deepEqual([told.country_code, told.continent_code], ['FR', 'EU'])
    const asked = (await read('&ip_address=198.51.100.1', { ...german, 'x-country': 'fr' })).body.response
    assert.equal(asked.country_code, 'US')
    const unknown = (await read('&ip_address=10.0.0.1')).body.response
    assert.deepEqual([unknown.ip, unknown.country_code, unknown.country_name], ['10.0.0.1', null, null])
    const wrong = await read('&ip_address=here')
    assert.deepEqual([wrong.status, wrong.body.errors], [422, { ip_address: ['must be a network address'] }])
  })

for (const format of formats)
  test(`with dpt=true, lists contain and count only what the caller may watch (${format})`, async () => {
    const channel = api.other
    const admin = channel.as('admin')
    const newOne = async (title: string, fields = {}) => (await admin.videos.create({ title, ...fields }))._id
    const genre = await admin.categories.create({ title: `Genre dpt ${format}`, values: ['Calm'] })
    const inGenre = { categories_attributes: [{ category_id: genre._id, value: ['Calm'] }] }
    const shelf = (await admin.playlists.create({ title: `Shelf ${format}` }))._id
    const box = (await admin.playlists.create({ title: `Box ${format}`, parent_id: shelf }))._id
    const calm = (
      await admin.playlists.create({
        title: `Calm ${format}`,
        playlist_type: 'category',
        categories: [{ category_id: genre._id }],
      })
    )._id
    const own = await newOne('Ruled itself')
    const boxed = await newOne('In a ruled playlist')
    const tagged = await newOne('In a category', inGenre)
    const free = await newOne('Free')
    const ids = [own, boxed, tagged, free]
    await admin.playlists.addVideos(shelf, { video_id: [own, free] })
    await admin.playlists.addVideos(box, { video_id: [boxed, free, tagged] })
    const read = async (path: string, headers: Record<string, string>, query = 'dpt=true&per_page=100') => {
      const reply = await ask(`${api.url}${path}?api_key=${channel.keys.read_only}&${query}`, format, {
        headers,
      })
      assert.equal(reply.status, 200, reply.text)
      return reply.body
    }
    const seen = async (
      path: string,
      headers: Record<string, string>,
      of: readonly string[],
      query?: string,
    ) => {
      const { response } = await read(path, headers, query)
      return of.map((id) => response.some(({ _id }) => _id === id))
    }
    assert.deepEqual(await seen('/videos', german, ids), [true, true, true, true])

    await admin.video_content_rules.create(own, inCountries('DE'))
    await admin.category_content_rules.create(genre._id, inCountries('DE'))
    assert.deepEqual(await seen('/videos', german, ids), [false, true, false, true])
    assert.deepEqual(await seen('/videos', american, ids), [true, true, true, true])
    assert.deepEqual(await seen('/videos', german, ids, 'dpt=false&per_page=100'), [true, true, true, true])
    assert.deepEqual(await seen(`/playlists/${shelf}/videos`, german, ids), [false, false, false, true])
    assert.deepEqual(await seen(`/playlists/${calm}/videos`, german, ids), [false, false, false, false])
    assert.deepEqual(await seen(`/playlists/${calm}/videos`, american, ids), [false, false, true, false])
    const sorted = await read(`/playlists/${shelf}/videos`, german, 'dpt=1&sort=title&per_page=1')
    assert.deepEqual([sorted.response.length, sorted.pagination.pages], [1, 1])
    const { pagination } = await read(`/playlists/${box}/videos`, german, 'dpt=true&per_page=1')
    assert.deepEqual([pagination.pages, pagination.next], [2, 1])
    const playlists = [shelf, box, calm]
    assert.deepEqual(await seen('/playlists', german, playlists), [true, true, true])

    const rule = await admin.playlist_content_rules.create(shelf, { policy: 'allow', ...inCountries('US') })
    assert.deepEqual(await seen('/videos', german, ids), [false, false, false, false])
    assert.deepEqual(await seen('/playlists', german, playlists), [false, false, true])
    assert.deepEqual(await seen('/playlists', german, playlists, 'per_page=100'), [true, true, true])
    assert.deepEqual(await seen('/playlists', german, playlists, `dpt=true&video_id=${free}`), [
      false,
      false,
      false,
    ])
    await admin.playlist_content_rules.remove(shelf, rule._id)

    const everywhere = await admin.content_rule_profiles.create({
      is_default_profile: true,
      content_rules_attributes: [{ policy: 'deny', match_type: 'country', countries: ['US'] }],
    })
    assert.deepEqual(await seen('/videos', american, ids), [false, false, false, false])
    assert.deepEqual(await seen('/videos', german, ids), [false, true, false, true])
    assert.deepEqual(await seen('/playlists', american, playlists), [false, false, false])
    const watcher = await channel.consumer()
    await admin.consumers.update(watcher._id, { super_watcher: true })
    const all = await ask(
      `${api.url}/videos?access_token=${watcher.access_token}&dpt=true&per_page=100`,
      format,
      { headers: american },
    )
    assert.ok(ids.every((id) => all.body.response.some(({ _id }) => _id === id)))
    await admin.content_rule_profiles.remove(everywhere._id)

    const wrong = await ask(`${api.url}/videos?api_key=${channel.keys.read_only}&dpt=maybe`, format)
    assert.deepEqual([wrong.status, wrong.body.errors], [422, { dpt: ['must be true or false'] }])
  })
