import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openMmdb } from '../../packages/server/src/countries/mmdb.js'
import { formats, startOwnApi, type TestApi } from '../support/api.js'
import { writeMmdb } from '../support/mmdb.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  const california = {
    subdivisions: [{ iso_code: 'CA', names: { en: 'California' } }],
    postal: { code: '94105' },
  }
  const file = openMmdb(
    writeMmdb({
      networks: [
        ['192.0.2.0/24', { country: { iso_code: 'DE' } }],
        [
          '198.51.100.0/24',
          { country: { iso_code: 'US' }, city: { names: { en: 'San Francisco' } }, ...california },
        ],
      ],
    }),
  )
  api = await startOwnApi({ file, trustedProxies: ['loopback'] })
})
after(() => api.stop())

const german = { 'x-forwarded-for': '192.0.2.7' }
const american = { 'x-forwarded-for': '198.51.100.7' }
const newVideo = async (fields = {}) =>
  (await api.as('admin').videos.create({ title: 'Ruled', ...fields }))._id
const watch = async (id: string, headers: Record<string, string>) =>
  (await fetch(`${api.url}/embed/${id}?api_key=${api.channel.keys.player}`, { headers })).status
const both = async (id: string) => [await watch(id, german), await watch(id, american)]

for (const format of formats)
  test(`a profile is made, read, listed, changed rule by rule, and removed (${format})`, async () => {
    const { content_rule_profiles: profiles } = api.as('admin', format)
    const made = await profiles.create({
      title: 'Europe',
      content_rules_attributes: [{ policy: 'allow', countries: ['deu', 'AT'] }, { priority: 9 }],
    })
    const [first, second] = made.content_rules
    assert.deepEqual([first?.match_type, first?.countries, first?.policy], ['country', ['DE', 'AT'], 'allow'])
    assert.deepEqual([second?.match_type, second?.priority, second?.enabled], ['global', 9, true])
    assert.deepEqual(await profiles.get(made._id), made)
    assert.ok((await profiles.list()).response.some(({ _id }) => _id === made._id))
    const changed = await profiles.update(made._id, {
      description: 'Most of it',
      content_rules_attributes: [
        { id: first?._id ?? '', priority: 4 },
        { id: second?._id ?? '', _destroy: true },
        { geographies: [{ countries: ['FR'] }] },
      ],
    })
    assert.deepEqual(
      changed.content_rules.map(({ priority, countries }) => [priority, countries]),
      [
        [4, ['DE', 'AT']],
        [1, ['FR']],
      ],
    )
    await profiles.remove(made._id)
    const missing = { status: 404, message: 'Content rule profile not found' }
    await assert.rejects(profiles.get(made._id), missing)
    await assert.rejects(profiles.update(made._id, {}), missing)
  })

test('a profile is found by words of its title and description', async () => {
  const { content_rule_profiles: profiles } = api.as('admin')
  const { _id } = await profiles.create({ title: 'Nordic-only', description: 'For the ice hockey' })
  const found = async (q: string) => (await profiles.list({ q })).response.map((each) => each._id)
  for (const q of ['nordic', 'ONLY hock', _id]) assert.deepEqual(await found(q), [_id], q)
  assert.deepEqual(await found('nordic football'), [])
  assert.ok(!(await api.other.as('admin').content_rule_profiles.list({ q: 'nordic' })).response.length)
})

test('rules without content, or with unsupported fields, are rejected', async () => {
  const { content_rule_profiles: profiles } = api.as('admin')
  const refused = { status: 422 }
  for (const rule of [
    { match_type: 'country' as const },
    { match_type: 'ip_address' as const, ip_addresses: ['here'] },
    { ip_ranges: [{ start: '192.0.2.9', end: '2001:db8::1' }] },
    { ip_addresses: ['192.0.2.0/33'] },
    { countries: ['XX'] },
    { content_rule_group_ids: ['f'.repeat(24)] },
    { starts_at: '2030-01-02', ends_at: '2030-01-01' },
  ])
    await assert.rejects(profiles.create({ content_rules_attributes: [rule] }), refused, JSON.stringify(rule))
  await assert.rejects(profiles.create({ content_rules_attributes: [{ id: 'f'.repeat(24) }] }), {
    status: 404,
    message: 'Content rule not found',
  })
  const device = (await api.other.as('admin').devices.list()).response[0]?._id ?? ''
  await assert.rejects(profiles.create({ content_rules_attributes: [{ device_ids: [device] }] }), {
    status: 404,
    message: 'Device not found',
  })
})

test('a form in the format of existing apps creates a profile', async () => {
  const url = `${api.url}/v3/content_rule_profiles?api_key=${api.channel.keys.admin}`
  const name = 'content_rule_profile[content_rules_attributes][]'
  const body = `content_rule_profile[title]=Form&${name}[match_type]=country&${name}[countries][]=US&${name}[policy]=allow&`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const made = await ask(url, 'json', { method: 'POST', headers, body })
  const [rule] = made.body.response.content_rules as { countries: string[]; policy: string }[]
  assert.deepEqual([made.status, rule?.countries, rule?.policy], [201, ['US'], 'allow'], made.text)
})

test('a profile applies to the videos and playlists that name it, and cannot be removed while they do', async () => {
  const { content_rule_profiles: profiles, videos, playlists } = api.as('admin')
  const { _id } = await profiles.create({ content_rules_attributes: [{ countries: ['DE'] }] })
  const own = await newVideo({ content_rule_profile_id: _id })
  assert.deepEqual(await both(own), [403, 200])
  const playlist = await playlists.create({ title: 'Ruled', content_rule_profile_id: _id })
  const inside = await newVideo()
  await playlists.addVideos(playlist._id, { video_id: [inside] })
  assert.deepEqual(await both(inside), [403, 200])
  await assert.rejects(profiles.remove(_id), {
    status: 422,
    message: /^Videos or playlists have this profile/,
  })
  await videos.update(own, { content_rule_profile_id: null })
  await playlists.update(playlist._id, { content_rule_profile_id: null })
  assert.deepEqual(
    [await both(own), await both(inside)],
    [
      [200, 200],
      [200, 200],
    ],
  )
  await profiles.remove(_id)
})

test('profiles of other channels are not found', async () => {
  const { _id } = await api.other.as('admin').content_rule_profiles.create({ title: 'Theirs' })
  const missing = { status: 404, message: 'Content rule profile not found' }
  const { videos, playlists } = api.as('admin')
  await assert.rejects(videos.create({ title: 'x', content_rule_profile_id: _id }), missing)
  await assert.rejects(videos.update(await newVideo(), { content_rule_profile_id: _id }), missing)
  await assert.rejects(playlists.create({ title: 'x', content_rule_profile_id: _id }), missing)
})

test('the default profile applies to videos without one, and is unique', async () => {
  const { content_rule_profiles: profiles } = api.as('admin')
  const deny = (countries: string[]) => ({
    is_default_profile: true,
    content_rules_attributes: [{ countries }],
  })
  const first = await profiles.create(deny(['DE']))
  const id = await newVideo()
  assert.deepEqual(await both(id), [403, 200])
  const second = await profiles.create(deny(['US']))
  assert.equal((await profiles.get(first._id)).is_default_profile, false)
  assert.deepEqual(await both(id), [200, 403])
  assert.deepEqual(await both(await newVideo({ content_rule_profile_id: first._id })), [403, 200])
  await profiles.remove(second._id)
  assert.deepEqual(await both(id), [200, 200])
})

test('rules can also match state, city, postal code and network address', async () => {
  const { content_rule_profiles: profiles } = api.as('admin')
  const { _id: profile } = await profiles.create({})
  const id = await newVideo({ content_rule_profile_id: profile })
  const only = async (rule: object) => {
    const { content_rules } = await profiles.get(profile)
    const gone = content_rules.map(({ _id }) => ({ id: _id, _destroy: true }))
    await profiles.update(profile, { content_rules_attributes: [...gone, { policy: 'allow', ...rule }] })
    return both(id)
  }
  for (const rule of [
    { states: ['california'] },
    { match_type: 'state', states: ['US-CA'] },
    { cities: ['San Francisco'] },
    { zip_codes: ['94105'] },
    { ip_addresses: ['198.51.100.0/24'] },
    { ip_ranges: [{ start: '198.51.100.1', end: '198.51.100.9' }] },
  ])
    assert.deepEqual(await only(rule), [403, 200], JSON.stringify(rule))
  assert.deepEqual(await only({ ip_ranges: [{ start: '198.51.100.8', end: '198.51.100.9' }] }), [403, 403])
})

/** Pseudo-random numbers with a fixed seed, so that every run is the same. */
let seed = 7
const below = (limit: number) => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % limit
}
const one = <T>(of: readonly T[]): T => of[below(of.length)] as T
const anyRule = (stackable: boolean) => ({
  policy: one(['allow', 'deny'] as const),
  priority: 1 + below(4),
  stackable: stackable || below(4) > 0,
  enabled: below(8) > 0,
  geographies: one([[], [{ countries: ['DE'] }], [{ countries: ['US', 'FR'] }]]),
  ends_at: one([null, '2001-01-01', '2101-01-01']),
})

/** Creates nested playlists, films in some of them, a category, a default profile, and one that some records name. */
async function stage() {
  const admin = api.other.as('admin')
  const newProfile = (is_default_profile: boolean) =>
    admin.content_rule_profiles.create({
      is_default_profile,
      content_rules_attributes: [{ policy: 'deny', priority: 3, countries: ['FR', 'US'] }],
    })
  await newProfile(true)
  const { _id: profile } = await newProfile(false)
  const { _id: category_id } = await admin.categories.create({ title: 'Mood', values: ['Calm'] })
  const playlists: string[] = []
  for (const content_rule_profile_id of [null, profile, null, null, null]) {
    const parent_id = one([null, playlists.at(-1) ?? null])
    playlists.push((await admin.playlists.create({ title: 'P', parent_id, content_rule_profile_id }))._id)
  }
  const films: string[] = []
  for (let index = 0; index < 16; index += 1) {
    const categories_attributes = one([[], [{ category_id, value: ['Calm'] }]])
    const content_rule_profile_id = one([null, null, null, profile])
    const { _id } = await admin.videos.create({ title: 'F', categories_attributes, content_rule_profile_id })
    films.push(_id)
    for (let times = below(3); times > 0; times -= 1)
      await admin.playlists.addVideos(one(playlists), { video_id: [_id] })
  }
  return { films, playlists, category_id }
}

async function checkLists(headers: Record<string, string>, viewer: object): Promise<void> {
  const { db } = api.database
  for (const [table, verdict] of [
    ['videos', 'content_verdict'],
    ['playlists', 'playlist_verdict'],
  ] as const) {
    const address = `${api.url}/${table}?api_key=${api.other.keys.read_only}&dpt=true&per_page=100`
    const { body } = await ask(address, 'json', { headers })
    const allowed = await db<{ _id: string }[]>`
      select _id from ${db(table)} where site_id = ${api.other.channel._id}
        and coalesce(${db(verdict)}(${db(table)}, ${JSON.stringify(viewer)}::text::jsonb), '') = '' order by _id
    `
    assert.deepEqual(
      body.response.map(({ _id }) => String(_id)).sort(),
      allowed.map(({ _id }) => _id),
    )
  }
}

test('lists with dpt=true contain exactly what may be watched, for random combinations of rules', async () => {
  const admin = api.other.as('admin')
  const { films, playlists, category_id } = await stage()
  for (let round = 0; round < 12; round += 1) {
    await checkLists(german, { place: { country: 'DE' }, address: '192.0.2.7' })
    await checkLists(american, { place: { country: 'US' }, address: '198.51.100.7' })
    await checkLists({ 'x-forwarded-for': '10.0.0.1' }, { place: {}, address: '10.0.0.1' })
    // Only rules of the last rounds may be non-stackable.
    const isPlain = round < 9
    await admin.playlist_content_rules.create(one(playlists), anyRule(isPlain))
    if (round % 3 === 1) await admin.category_content_rules.create(category_id, anyRule(isPlain))
    if (round % 4 === 2) await admin.video_content_rules.create(one(films), anyRule(isPlain))
  }
})
