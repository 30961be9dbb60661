import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdown } from './markdown.js'
import { modelOf } from './model.js'
import { openApi } from './openapi/document.js'
import { openReference } from './pages.js'

const document = openApi({ apiUrl: 'https://api.example.com', version: '1.2.3' })
const { chapters } = modelOf(document)
const topics = chapters.flatMap((chapter) => chapter.topics)
const idsIn = (page: string) => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)

test('every operation of the document is on the page of its topic, and in the menu', async () => {
  const { front, topic } = await openReference(document)
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const shown = topics.flatMap(({ slug, operations }) => {
    const page = topic(slug) ?? ''
    return operations.filter(({ operationId }) => idsIn(page).includes(operationId))
  })
  assert.equal(shown.length, all.length)
  for (const { slug, operations } of topics)
    for (const { operationId } of operations)
      assert.ok(front().includes(`href="/docs/${slug}#${operationId}"`), operationId)
})

test('every link within a page leads to a place on it, and no two places have one name', async () => {
  const { front, topic } = await openReference(document)
  for (const page of [front(), ...topics.map(({ slug }) => topic(slug) ?? '')]) {
    const ids = idsIn(page)
    assert.equal(new Set(ids).size, ids.length)
    for (const [, target = ''] of page.matchAll(/ href="#([^"]+)"/g)) assert.ok(ids.includes(target), target)
  }
})

test('a page is small, and there is none for an unknown topic', async () => {
  const { topic } = await openReference(document)
  for (const { slug } of topics) assert.ok((topic(slug) ?? '').length < 300_000, slug)
  assert.equal(topic('nothing'), undefined)
})

test('Markdown becomes markup, and markup in it stays text', () => {
  const shown = (text: string) =>
    markdown(text)
      .map(({ html }) => html)
      .join('')
      .replaceAll(/\n(?=<|$)/g, '')
  assert.equal(
    shown('One `a<b` and **two**\nlines.'),
    '<p>One <code>a&lt;b</code> and <strong>two</strong>\nlines.</p>',
  )
  assert.equal(shown('- a\n- b\n  c'), '<ul><li>a</li><li>b\n  c</li></ul>')
  assert.equal(shown('## Pages and more'), '<h2 id="pages-and-more">Pages and more</h2>')
  assert.equal(shown('```sh\na\n\nb\n```'), '<pre><code class="sh">a\n\nb</code></pre>')
  assert.match(
    shown('| A | B |\n| --- | --- |\n| 1 | `2` |'),
    /<th scope="col">A<\/th>.*<td><code>2<\/code><\/td>/,
  )
  assert.equal(
    shown('[x](https://example.com) [y](javascript:z)'),
    '<p><a href="https://example.com" rel="noreferrer">x</a> [y](javascript:z)</p>',
  )
})
