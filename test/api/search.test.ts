import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SearchMatch } from '@zoetrope/sdk'
import { startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

type Videos = ReturnType<TestApi['as']>['videos']
type Query = NonNullable<Parameters<Videos['list']>[0]>
type Found = { readonly _id: string; readonly title: string; readonly matches?: readonly SearchMatch[] }

let api: TestApi
const ids: Record<string, string> = {}
before(async () => {
  api = await startApi()
  const make = async (name: string, fields: Parameters<Videos['create']>[0]) => {
    const { _id } = await api.as('admin').videos.create(fields)
    ids[name] = _id
  }
  await make('title', { title: 'The archivist of Łódź' })
  await make('keyword', { title: 'Film two', keywords: ['archivist', 'papers'] })
  await make('short', { title: 'Film three', short_description: 'An archivist, briefly.' })
  await make('long', {
    title: 'Film four',
    description: `${'Some words. '.repeat(60)}Then the archivist speaks.`,
  })
  await make('spoken', { title: 'Film five' })
  await make('draft', { title: 'The unpublished archivist', active: false })
  await subtitle(ids.spoken ?? '', 'the vault opens\nfor an archivist')
  await api.other.as('admin').videos.create({ title: 'The archivist next door', description: 'zanzibarian' })
})
after(() => api.stop())

const subtitle = (video: string, line: string, more = {}) =>
  api.as('admin').subtitles.create(video, {
    language: 'en',
    file: Buffer.from(`1\n00:12:31,250 --> 00:12:33,000\n${line}\n`).toString('base64'),
    ...more,
  })

const find = async (search: string, query: Query = {}, videos: Videos = api.as('admin').videos) => {
  const { response, ...rest } = await videos.list({ search, active: 'all', ...query })
  return { ...rest, videos: response as Found[], ids: response.map(({ _id }) => _id).sort() }
}
const named = (...names: string[]) => names.map((name) => ids[name]).sort()

test('a search looks in titles, keywords, both descriptions and subtitles, and says how many it found', async () => {
  const found = await find('archivist')
  assert.deepEqual(found.ids, named('title', 'keyword', 'short', 'long', 'spoken', 'draft'))
  assert.deepEqual(found.search, {
    asked: 'archivist',
    searched: 'archivist',
    suggestion: null,
    words: ['archivist'],
    total: 6,
    total_exact: true,
  })
  const page = await find('archivist', { per_page: 2 })
  assert.equal(page.search?.total, 6)
  assert.equal(page.pagination.pages, 3)
})

test('q still looks in titles, keywords and ids only', async () => {
  const { response, ...rest } = await api.as('admin').videos.list({ q: 'archivist', active: 'all' })
  assert.deepEqual(response.map(({ _id }) => _id).sort(), named('title', 'keyword', 'draft'))
  assert.equal('search' in rest, false)
  assert.equal((await find(ids.long ?? '')).ids[0], ids.long)
  const { response: one } = await api.as('admin').videos.list({ q: ids.long ?? '' })
  assert.deepEqual(
    one.map(({ _id }) => _id),
    [ids.long],
  )
})

test('every video shows where the words are, as plain text in pieces', async () => {
  const { videos } = await find('archivist')
  const matchesOf = (name: string) => videos.find(({ _id }) => _id === ids[name])?.matches
  assert.deepEqual(matchesOf('title'), [
    {
      field: 'title',
      parts: [
        { text: 'The ', hit: false },
        { text: 'archivist', hit: true },
        { text: ' of Łódź', hit: false },
      ],
      subtitle_id: null,
      language: null,
      time: null,
    },
  ])
  assert.deepEqual(
    ['keyword', 'short', 'long'].map((name) => matchesOf(name)?.[0]?.field),
    ['keywords', 'short_description', 'description'],
  )
  const [line] = matchesOf('spoken') ?? []
  assert.equal(line?.field, 'subtitles')
  assert.equal(line?.time, 751.25)
  assert.equal(line?.language, 'en')
  assert.equal(line?.parts.map(({ text }) => text).join(''), 'the vault opens for an archivist')
})

test('all words must be in one text of the video, and the last may be a prefix', async () => {
  assert.deepEqual((await find('ŁÓDŹ arch')).ids, named('title'))
  assert.deepEqual((await find('vault arch')).ids, named('spoken'))
  assert.deepEqual((await find('arch vault', { search_exact: true })).ids, [])
  assert.deepEqual((await find('archivist', { 'title!': 'Film two', keywords: 'papers' })).ids, [])
})

test('misspelt words are corrected if nothing is found, unless the request refuses that', async () => {
  const found = await find('arcivist')
  assert.equal(found.search?.asked, 'arcivist')
  assert.equal(found.search?.searched, 'archivist')
  assert.equal(found.search?.total, 6)
  assert.equal((await find('vualt opens')).search?.searched, 'vault opens')
  const exact = await find('arcivist', { search_exact: true })
  assert.deepEqual(exact.ids, [])
  assert.equal(exact.search?.searched, 'arcivist')
  assert.deepEqual((await find('qwertzuiop')).ids, [])
})

test('new words of one channel are known at once, however many videos of others wait to be learned', async () => {
  await api.database.db`
    insert into words_to_learn (site_id, video_id)
    select ${api.other.channel._id}, to_hex(number) from generate_series(1, 200) as number
  `
  const { _id } = await api.as('admin').videos.create({ title: 'The lamplighter' })
  const found = await find('lamplihgter')
  assert.deepEqual([found.ids, found.search?.searched], [[_id], 'lamplighter'])
})

test('a corrected search continues on its next pages', async () => {
  const walked: string[] = []
  const all = api.as('admin').videos.all({ search: 'arcivist', active: 'all', per_page: 2 })
  for await (const { _id } of all) walked.push(_id)
  assert.equal(new Set(walked).size, 6)
  assert.equal((await find('arcivist', { per_page: 2, page: 2 })).ids.length, 2)
})

test('words that find more are suggested for a search with few matches', async () => {
  const { _id } = await api.as('admin').videos.create({ title: 'An arcivist, misspelt' })
  const found = await find('arcivist')
  assert.deepEqual(found.ids, [_id])
  assert.equal(found.search?.searched, 'arcivist')
  assert.equal(found.search?.suggestion, 'archivist')
  assert.equal((await find('arcivist', { search_exact: true })).search?.suggestion, null)
  await api.as('admin').videos.update(_id, { title: 'Something else' })
  assert.equal((await find('arcivist', { search_exact: true })).search?.total, 0)
})

test('another channel finds neither the videos nor their words', async () => {
  const theirs = await find('archivist', {}, api.other.as('admin').videos)
  assert.deepEqual(
    theirs.videos.map(({ title }) => title),
    ['The archivist next door'],
  )
  assert.equal((await find('zanzibarien')).search?.searched, 'zanzibarien')
})

test('keys of apps and viewers find published videos by their fields, not by subtitles', async () => {
  const consumer = await api.channel.consumer()
  for (const who of ['read_only', 'app'] as const) {
    const found = await find('archivist', { active: true }, api.as(who).videos)
    assert.deepEqual(found.ids, named('title', 'keyword', 'short', 'long'))
    assert.deepEqual((await find('vault opens', { active: true }, api.as(who).videos)).ids, [])
  }
  const { status, body } = await ask(
    `${api.url}/videos?search=archivist&access_token=${consumer.access_token}`,
  )
  assert.equal(status, 200)
  assert.equal((body as unknown as { search: { total: number } }).search.total, 4)
  assert.equal((await ask(`${api.url}/videos?search=a&api_key=${api.channel.keys.player}`)).status, 403)
})

test('changes are found at once: texts, publishing, deletion and restoring', async () => {
  const { videos } = api.as('admin')
  const viewer = api.as('read_only').videos
  const { _id } = await videos.create({ title: 'Quokka', description: 'A marsupial.' })
  const total = async (search: string) => (await find(search, { active: true }, viewer)).ids.length
  // The same request twice, so that an answer could have been kept.
  assert.deepEqual([await total('marsupial'), await total('marsupial')], [1, 1])
  await videos.update(_id, { description: 'A mammal.' })
  assert.deepEqual([await total('marsupial'), await total('mammal')], [0, 1])
  await videos.update(_id, { active: false })
  assert.equal(await total('mammal'), 0)
  await videos.update(_id, { active: true })
  assert.equal(await total('mammal'), 1)
  await videos.remove(_id)
  assert.equal(await total('mammal'), 0)
  assert.deepEqual((await find('mammal', { search_exact: true })).ids, [])
  assert.deepEqual((await find('mammal', { deleted: true })).ids, [_id])
  const q = (await videos.list({ q: 'quokka', deleted: true, active: 'all' })).response
  assert.equal(q.length, 1)
  await videos.restore(_id)
  assert.equal(await total('mammal'), 1)
  await videos.remove(_id)
  await videos.purge(_id)
  const rows = await api.database.db`select from video_search where _id = ${_id}`
  assert.equal(rows.length, 0)
})

test('a subtitle is found only while it is active, with the text that it has now', async () => {
  const { subtitles } = api.as('admin')
  const video = ids.title ?? ''
  const made = await subtitles.create(video, {
    language: 'fr',
    file: Buffer.from('WEBVTT\n\npelican\n00:00:01.000 --> 00:00:02.000\nUn albatros\n').toString('base64'),
  })
  const isFound = async (search: string) => (await find(search, { search_exact: true })).ids.includes(video)
  assert.deepEqual(
    [await isFound('albatros'), await isFound('pelican'), await isFound('webvtt')],
    [true, false, false],
  )
  await subtitles.update(video, made._id, { active: false })
  assert.equal(await isFound('albatros'), false)
  await subtitles.update(video, made._id, { active: true })
  assert.equal(await isFound('albatros'), true)
  await subtitles.update(video, made._id, {
    file: Buffer.from('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nUn cormoran\n').toString('base64'),
  })
  assert.deepEqual([await isFound('albatros'), await isFound('cormoran')], [false, true])
  await subtitles.remove(video, made._id)
  assert.equal(await isFound('cormoran'), false)
})

test('response_fields keeps the matches, and an empty search lists everything', async () => {
  const { videos } = await find('archivist', { response_fields: ['title'], per_page: 1 })
  assert.deepEqual(Object.keys(videos[0] ?? {}).sort(), ['_id', 'matches', 'title'])
  const all = await find(' … ')
  assert.equal('search' in all, false)
  assert.equal('matches' in (all.videos[0] ?? {}), false)
})

test('hostile searches are refused or find nothing', async () => {
  const place = `${api.url}/videos?api_key=${api.channel.keys.admin}`
  for (const search of ['%00', 'x'.repeat(201), '%F0%90%80'])
    assert.ok([200, 422].includes((await ask(`${place}&search=${search}`)).status), search)
  assert.equal((await ask(`${place}&search[]=a`)).status, 422)
  assert.equal((await ask(`${place}&search=a&search_exact=perhaps`)).status, 422)
  for (const search of [
    "'",
    '\\',
    "a' | 'b",
    'a:*',
    '<->',
    '!!',
    'a & !b',
    '%',
    '_',
    '(((',
    '. * + ?',
    '[a-',
  ])
    assert.equal((await ask(`${place}&search=${encodeURIComponent(search)}`)).status, 200, search)
})

test('a video with very long texts, and a subtitle of many different words, can be written and found', async () => {
  const words = Array.from({ length: 9000 }, (_, index) => `${index.toString(36)}q`).join(' ')
  const { _id } = await api.as('admin').videos.create({ title: 'Long', description: words.slice(0, 50_000) })
  const many = Array.from({ length: 3000 }, (_, index) => {
    const at = `${String(Math.floor(index / 3600)).padStart(2, '0')}:${String(Math.floor(index / 60) % 60).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}`
    return `${at},000 --> ${at},900\nw${index}a w${index}b\n`
  }).join('\n')
  await api.as('admin').subtitles.create(_id, { language: 'en', file: Buffer.from(many).toString('base64') })
  assert.deepEqual((await find('w17a w17b')).ids, [_id])
})

test('a search within a playlist finds only its videos', async () => {
  const admin = api.as('admin')
  const playlist = await admin.playlists.create({ title: 'One archivist' })
  await admin.playlists.addVideos(playlist._id, { video_id: [ids.title ?? ''] })
  const { body } = await ask(
    `${api.url}/playlists/${playlist._id}/videos?q=archivist&sort=created_at&api_key=${api.channel.keys.admin}`,
    'json',
  )
  assert.deepEqual(
    body.response.map(({ _id }) => _id),
    [ids.title],
  )
})
