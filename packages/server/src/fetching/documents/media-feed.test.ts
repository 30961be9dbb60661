import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../../../test/support/work.js'
import { readDocument } from '../../lib/xml-document.js'
import { readMediaFeed } from './media-feed.js'

const at = 'https://feeds.example/films/feed.xml'
const read = (items: string, prefix = 'media') =>
  readMediaFeed(
    readDocument(
      `<rss xmlns:${prefix}="http://search.yahoo.com/mrss/"><channel><title>Feed</title>${items}</channel></rss>`,
    ),
    at,
  )
const addressIn = (inside: string, prefix?: string) =>
  read(`<item><guid>x</guid>${inside}</item>`, prefix).items[0]?.url

test('an item has the film that can be fetched, wherever the feed puts it', () => {
  assert.equal(addressIn('<media:content url="https://a.example/1.mp4"/>'), 'https://a.example/1.mp4')
  assert.equal(addressIn('<m:content url="https://a.example/1.mp4"/>', 'm'), 'https://a.example/1.mp4')
  assert.equal(
    addressIn('<enclosure url="https://a.example/2.mp4" length="1" type="video/mp4"/>'),
    'https://a.example/2.mp4',
  )
  assert.equal(addressIn('<media:content url="/3.mp4"/>'), 'https://feeds.example/3.mp4')
  const group = `<media:group>
    <media:content url="https://a.example/master.m3u8"/>
    <media:content url="https://a.example/small.mp4" height="240"/>
    <media:content url="https://a.example/large.mp4" height="720" type="video/mp4"/>
    <media:content url="https://a.example/picture.jpg" medium="image"/></media:group>`
  assert.equal(addressIn(group), 'https://a.example/large.mp4')
  assert.equal(addressIn(group.replace('height="240"', 'isDefault="true"')), 'https://a.example/small.mp4')
})

test('items without a film that can be fetched are counted and ignored', () => {
  for (const inside of [
    '<title>No film</title>',
    '<media:content url="file:///etc/passwd"/>',
    '<media:content url="https://a.example/master.m3u8?x=1"/>',
    '<media:content url="https://a.example/a.mp3" medium="audio"/>',
    '<enclosure url="https://a.example/a.mp3" type="audio/mpeg"/>',
    `<media:content url="https://a.example/${'x'.repeat(2000)}.mp4"/>`,
  ]) {
    const feed = read(`<item><guid>x</guid>${inside}</item>`)
    assert.deepEqual([feed.items.length, feed.found], [0, 1], inside)
  }
})

test('texts come from the content, its group or the item, without tags; every guid counts once', () => {
  const one = (guid: string, more = '') =>
    `<item><guid>${guid}</guid><title>Plain &amp; good</title>${more}<pubDate>Sun, 15 Mar 2026 10:00:00 +0100</pubDate>
     <description><![CDATA[<p>One<br/>two &amp; three</p><script x="y">a < b</script>]]></description><category>News</category>
     <media:category label="x">Sport</media:category><media:keywords>a, b,,a</media:keywords>
     <media:thumbnail url="https://a.example/t.jpg"/><media:content url="https://a.example/${guid}.mp4"/></item>`
  const { title, items, found } = read(one('a') + one('b', '<media:title>Best</media:title>') + one('a'))
  assert.deepEqual([title, items.map(({ guid }) => guid), found], ['Feed', ['a', 'b'], 3])
  assert.deepEqual(items[0], {
    guid: 'a',
    title: 'Plain & good',
    description: 'One\ntwo & three\na < b',
    keywords: ['a', 'b'],
    categories: ['Sport', 'News'],
    publishedAt: '2026-03-15T09:00:00.000Z',
    thumbnail: 'https://a.example/t.jpg',
    url: 'https://a.example/a.mp4',
  })
  assert.equal(items[1]?.title, 'Best')
  const [bare] = read('<item><media:content url="https://a.example/bare.mp4"/></item>').items
  assert.deepEqual(
    [bare?.guid, bare?.title, bare?.description, bare?.publishedAt],
    ['https://a.example/bare.mp4', 'Untitled', null, null],
  )
})

test('Atom is a feed too; a page is not, and the refusal says what to give instead', () => {
  const entry = `<entry><id>tag:a</id><title type="html">An &amp;lt;b&amp;gt;entry&amp;lt;/b&amp;gt;</title>
    <published>2026-03-15T10:00:00Z</published><category term="News"/><summary>Short</summary>
    <link rel="alternate" href="https://a.example/"/><link rel="enclosure" type="video/mp4" href="https://a.example/e.mp4"/></entry>`
  const { title, items } = readMediaFeed(
    readDocument(`<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title>${entry}</feed>`),
    at,
  )
  assert.deepEqual(
    [title, items[0]?.guid, items[0]?.url, items[0]?.categories, items[0]?.publishedAt],
    ['T', 'tag:a', 'https://a.example/e.mp4', ['News'], '2026-03-15T10:00:00.000Z'],
  )
  assert.throws(
    () => readMediaFeed(readDocument('<html/>'), at),
    /root element is html.*not of a page that links to it/,
  )
  assert.throws(() => readMediaFeed(readDocument('<rss/>'), at), /not a feed/)
})

test('hostile text takes no longer to read than ordinary text', () => {
  const readTags = (count: number) =>
    read(
      `<item><guid>x</guid><media:content url="https://a.example/1.mp4"/><description><![CDATA[${'<a '.repeat(count)}]]></description></item>`,
    ).items[0]
  assert.equal(readTags(300_000)?.description?.length, 50_000)
  assertLinear(readTags, 20_000)
})
