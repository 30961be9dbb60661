import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { feedExpiryFrom } from '../../packages/server/src/films/signed-address.js'
import { prepare } from '../../packages/server/src/jobs/prepare.job.js'
import { newUnguessableId } from '../../packages/server/src/lib/object-id.js'
import { startApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { contextOf, uploadClip } from '../support/media.js'

let api: TestApi
let film: string
let playlist_id: string
before(async () => {
  api = await startApi()
  const { _id, site_id, data_sources } = await uploadClip(api, await makeClip({ seconds: 2 }), 'Film')
  await prepare.run({ site_id, source_id: data_sources[0]?._id ?? '' }, contextOf(api))
  film = _id
  playlist_id = await newPlaylist(film)
})
after(() => api.stop())

async function newPlaylist(...video_id: string[]) {
  const { playlists } = api.as('admin')
  const { _id } = await playlists.create({ title: 'Early films', description: 'Silent <and> short' })
  if (video_id.length > 0) await playlists.addVideos(_id, { video_id })
  return _id
}

/** Creates another video with the same media as the film. */
async function copy(fields: Parameters<ReturnType<TestApi['as']>['videos']['create']>[0]) {
  const { _id } = await api.as('admin').videos.create(fields)
  const source_id = newUnguessableId()
  await api.database.db`
    insert into sources (_id, site_id, video_id, file_name, bytes, sha256, status, plan, facts)
    select ${source_id}, site_id, ${_id}, file_name, bytes, sha256, status, plan, facts from sources
    where video_id = ${film}
  `
  await api.database.db`
    update videos set status = 'ready', renditions = film.renditions, media_source_id = ${source_id},
      duration = film.duration
    from videos as film where videos._id = ${_id} and film._id = ${film}
  `
  return _id
}

async function newFeed(fields: object = {}) {
  const feed = await api.as('admin').feeds.create({ playlist_id, ...fields })
  const key = await api.as('admin').feed_keys.create(feed._id, { name: 'Partner' })
  return { feed, key }
}

interface Item {
  readonly id: string
  readonly title: string
  readonly attachments: readonly { readonly url: string; readonly mime_type: string }[]
  readonly [field: string]: unknown
}
interface JsonFeed {
  readonly title: string
  readonly next_url?: string
  readonly items: readonly Item[]
  readonly [field: string]: unknown
}
const read = async (url: string | null) => (await (await fetch(url ?? '')).json()) as JsonFeed
const titlesIn = async (url: string | null) => (await read(url)).items.map(({ title }) => title)

test('MRSS is well-formed, has the required elements, and its films play', async () => {
  const { videos } = api.as('admin')
  const title = `Tom & "Jerry" <script> 'x' ]]> é`
  await videos.update(film, {
    title,
    description: '<b>bold</b> & more',
    keywords: ['a & b', 'c'],
    genre: 'Documentary',
    language: 'en',
    disable_at: '2099-01-01T00:00:00Z',
    discovery_url: 'https://www.example.com/film?a=1&b=2',
  })
  const { key } = await newFeed({ language: 'en' })
  const reply = await fetch(key.mrss_url ?? '')
  const text = await reply.text()
  assert.equal(reply.headers.get('content-type'), 'application/rss+xml; charset=utf-8')
  assert.equal(XMLValidator.validate(text), true)
  const parsed = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    trimValues: false,
    htmlEntities: true,
  }).parse(text)
  const { channel } = parsed.rss
  assert.deepEqual(
    [channel.title, channel.description, channel.language],
    ['Early films', 'Silent <and> short', 'en'],
  )
  const { item } = channel
  assert.equal(item.title, title)
  assert.equal(item['media:title']['#text'], title)
  assert.equal(item.description, '<b>bold</b> & more')
  assert.deepEqual([item.guid['#text'], item.guid.isPermaLink], [film, 'false'])
  assert.equal(item.link, 'https://www.example.com/film?a=1&b=2')
  assert.equal(new Date(item.pubDate).toUTCString(), item.pubDate)
  assert.equal(item['media:keywords'], 'a & b, c')
  assert.equal(item['media:category'].label, 'Genre')
  assert.equal(item['dcterms:valid'], 'end=2099-01-01T00:00:00.000Z; scheme=W3C-DTF')
  const content = item['media:content']
  assert.deepEqual(
    [content.type, content.medium, content.duration],
    ['application/vnd.apple.mpegurl', 'video', '2'],
  )
  const master = await fetch(content.url)
  assert.match(await master.text(), /#EXT-X-STREAM-INF/)
  await videos.update(film, { title: 'Film', disable_at: null })
})

test('RSS has the film as an enclosure, JSON as an attachment', async () => {
  const { key } = await newFeed({ title: 'Mine', link: 'https://www.example.com/' })
  const rss = await (await fetch(key.rss_url ?? '')).text()
  assert.equal(XMLValidator.validate(rss), true)
  assert.match(
    rss,
    /<enclosure url="http[^"]+master\.m3u8" length="0" type="application\/vnd\.apple\.mpegurl"\/>/,
  )
  const reply = await fetch(key.json_url ?? '')
  assert.equal(reply.headers.get('content-type'), 'application/feed+json; charset=utf-8')
  const { items, ...feed } = (await reply.json()) as JsonFeed
  assert.deepEqual(feed, {
    version: 'https://jsonfeed.org/version/1.1',
    title: 'Mine',
    description: 'Silent <and> short',
    home_page_url: 'https://www.example.com/',
    feed_url: key.json_url,
  })
  assert.deepEqual([items[0]?.id, items[0]?.title], [film, 'Film'])
  assert.equal((await fetch(items[0]?.attachments[0]?.url ?? '')).status, 200)
  await api.database.db`
    update videos set renditions = renditions || '[{"name": "mp4_360p", "status": "ready", "progress": 100,
      "width": 640, "height": 360, "bitrate": 800000, "filesize": 4321}]'
    where _id = ${film}
  `
  const files = await newFeed({ media: 'mp4' })
  assert.match(
    await (await fetch(files.key.rss_url ?? '')).text(),
    /\/films\/[0-9a-f]{24}\/mp4_360p\/[^"/]+\/film\.mp4" length="4321" type="video\/mp4"/,
  )
  await api.as('admin').account.update({ hls_encryption: true })
  assert.match((await read(files.key.json_url)).items[0]?.attachments[0]?.url ?? '', /master\.m3u8$/)
  await api.as('admin').account.update({ hls_encryption: false })
})

test('an audio-only film is audio in feeds of either kind', async () => {
  const clip = await makeClip({ seconds: 2, codec: 'none', container: 'm4a' })
  const { _id, site_id, data_sources } = await uploadClip(api, clip, 'A talk')
  await prepare.run({ site_id, source_id: data_sources[0]?._id ?? '' }, contextOf(api))
  const playlist = await newPlaylist(_id)
  const { key } = await newFeed({ playlist_id: playlist })
  const mrss = await (await fetch(key.mrss_url ?? '')).text()
  const [, address = ''] =
    /<media:content url="([^"]+)" type="application\/vnd\.apple\.mpegurl" medium="audio"/.exec(mrss) ?? []
  assert.match(await (await fetch(address)).text(), /#EXT-X-STREAM-INF:.*CODECS="mp4a/)
  await api.database.db`
    update videos set renditions = '[{"name": "mp4_360p", "status": "ready", "filesize": 99}]' where _id = ${_id}
  `
  const files = await newFeed({ playlist_id: playlist, media: 'mp4' })
  assert.equal((await read(files.key.json_url)).items[0]?.attachments[0]?.mime_type, 'audio/mp4')
})

test('a feed contains the unrestricted videos of the playlist, in its order', async () => {
  const { videos, playlists } = api.as('admin')
  const made = [
    await copy({ title: 'First' }),
    await copy({ title: 'Draft', active: false }),
    (await videos.create({ title: 'Without a film' }))._id,
    ...(await Promise.all(
      ['subscription', 'registration', 'purchase', 'rental', 'pass', 'redemption_code'].map((way) =>
        copy({ title: way, [`${way}_required`]: true }),
      ),
    )),
    await copy({ title: 'Second' }),
    await copy({ title: 'Soon', enable_at: '2099-01-01T00:00:00Z' }),
    await copy({ title: 'Removed' }),
  ]
  const id = await newPlaylist(...made)
  await videos.remove(made.at(-1) ?? '')
  const ruled = await copy({ title: 'Not everywhere' })
  await api.as('admin').video_content_rules.create(ruled, {})
  await playlists.addVideos(id, { video_id: [ruled] })
  const { key } = await newFeed({ playlist_id: id })
  assert.deepEqual(await titlesIn(key.json_url), ['First', 'Second'])
  const [first = ''] = made
  const { items } = await read(key.json_url)
  await videos.update(first, { disable_at: new Date(Date.now() - 1000) })
  assert.deepEqual(await titlesIn(key.json_url), ['Second'])
  const gone = items[0]?.attachments[0]?.url ?? ''
  await videos.update(made[9] ?? '', { active: false })
  assert.deepEqual(await titlesIn(key.json_url), [])
  assert.ok([403, 404].includes((await fetch(gone)).status))

  await playlists.update(id, { active: false })
  assert.equal((await fetch(key.json_url ?? '')).status, 404)
})

test('an external video is in the feed with its own URL', async () => {
  const url = 'https://media.example/horse/master.m3u8'
  const { _id } = await api.as('admin').videos.createSelfHosted({ title: 'Elsewhere', url })
  const { key } = await newFeed({ playlist_id: await newPlaylist(_id) })
  const { items } = await read(key.json_url)
  assert.deepEqual(items[0]?.attachments, [{ url, mime_type: 'application/vnd.apple.mpegurl' }])
})

test('feeds of long playlists have pages that link to each other', async () => {
  const made: string[] = []
  for (let number = 0; number < 5; number += 1) made.push(await copy({ title: `No. ${number}` }))
  const id = await newPlaylist(...made)
  const { key } = await newFeed({ playlist_id: id, item_limit: 2 })
  const first = await read(key.json_url)
  assert.deepEqual(
    first.items.map(({ title }) => title),
    ['No. 0', 'No. 1'],
  )
  const second = await read(first.next_url ?? '')
  assert.deepEqual(
    second.items.map(({ title }) => title),
    ['No. 2', 'No. 3'],
  )
  const third = await read(second.next_url ?? '')
  assert.deepEqual([third.items.map(({ title }) => title), third.next_url], [['No. 4'], undefined])
  assert.match(await (await fetch(key.mrss_url ?? '')).text(), /<atom:link rel="next"[^>]*&amp;page=1"\/>/)
  assert.equal((await fetch(`${key.rss_url}&page=x`)).status, 422)
  await assert.rejects(api.as('admin').feeds.create({ playlist_id, item_limit: 1001 }), { status: 422 })
})

test('If-None-Match gets 304 until the feed changes', async () => {
  const { key } = await newFeed()
  const first = await fetch(key.mrss_url ?? '')
  const etag = first.headers.get('etag') ?? ''
  assert.equal(first.headers.get('cache-control'), 'private, max-age=300')
  const again = await fetch(key.mrss_url ?? '', { headers: { 'if-none-match': etag } })
  assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag])
  await api.as('admin').videos.update(film, { short_description: 'Changed', description: 'Changed' })
  const changed = await fetch(key.mrss_url ?? '', { headers: { 'if-none-match': etag } })
  assert.equal(changed.status, 200)
  assert.notEqual(changed.headers.get('etag'), etag)
  assert.equal((await fetch(key.mrss_url ?? '', { method: 'HEAD' })).status, 200)
  assert.equal((await fetch(key.mrss_url ?? '', { method: 'POST' })).status, 405)
})

test('URLs in feeds are valid for more than two days, and stay the same for half a day', () => {
  const now = Date.parse('2026-03-14T05:00:00Z')
  const hours = (at: number) => (feedExpiryFrom(at) - at) / 3_600_000
  assert.ok(hours(now) >= 60 && hours(now) <= 72)
  assert.equal(feedExpiryFrom(now), feedExpiryFrom(now + 6 * 3_600_000))
})
