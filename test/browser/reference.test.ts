import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import fastify from 'fastify'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { addReference } from '../../packages/server/src/reference/index.js'
import { openApi } from '../../packages/server/src/reference/openapi/document.js'
import { openBrowser } from '../support/browser.js'
import { barriersOn, overflowOf, phone } from '../support/dashboard.js'

const app = fastify()
let origin: string
let browser: Browser

before(async () => {
  addReference(app, async () => openApi({ apiUrl: origin, version: '1.2.3' }))
  app.route({
    method: ['GET', 'PUT'],
    url: '/videos*',
    handler: (request, reply) =>
      reply.header('x-echo', '1').send({ got: `${request.method} ${request.url}`, body: request.body }),
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await app.close()
})

const desk: BrowserContextOptions = { viewport: { width: 1280, height: 900 } }

/** Opens a page, and records its requests and errors. */
async function open(path: string, options: BrowserContextOptions = desk) {
  const page = await (await browser.newContext(options)).newPage()
  const requests: string[] = []
  const errors: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(origin + path)
  return { page, requests: () => requests.filter((url) => !url.startsWith('data:')), errors }
}

test('the reference needs one request to show an operation, and none to anybody else', async () => {
  const { page, requests, errors } = await open('/docs')
  await page.getByRole('heading', { name: 'Zoetrope API', level: 1 }).waitFor()
  assert.equal(await page.title(), 'Zoetrope API reference')
  assert.deepEqual(requests(), [`${origin}/docs`])

  await page.locator('nav summary', { hasText: /^Videos$/ }).click()
  await page.getByRole('link', { name: 'GET List videos' }).click()
  await page.getByRole('heading', { name: 'List videos' }).waitFor()

  assert.equal(page.url(), `${origin}/docs/videos#listVideos`)
  assert.deepEqual(requests(), [`${origin}/docs`, `${origin}/docs/videos`])
  assert.deepEqual(errors, [])
  assert.deepEqual(await barriersOn(page), [])
  await page.context().close()
})

test('the reference can be read on a phone, in the dark', async () => {
  const { page, errors } = await open('/docs/', { ...phone, colorScheme: 'dark' })
  await page.getByRole('link', { name: 'Menu' }).click()
  await page.locator('nav summary', { hasText: /^Videos$/ }).click()
  await page.getByRole('link', { name: 'POST Create a video' }).click()
  await page.getByRole('heading', { name: 'Create a video' }).waitFor()

  assert.equal(await page.getByRole('link', { name: 'POST Create a video' }).isVisible(), false)
  assert.equal(await overflowOf(page), 0)
  assert.deepEqual(errors, [])
  assert.deepEqual(await barriersOn(page), [])
  await page.context().close()
})

test('the whole text of a page comes before its script, and nothing in it waits for another file', async () => {
  for (const [path, last] of [
    ['/docs', 'Operations'],
    ['/docs/videos', 'Restore a video'],
  ] as const) {
    const text = await (await fetch(origin + path)).text()
    const script = text.indexOf('<script')
    assert.ok(script > 0 && text.lastIndexOf(last) < script, path)
    assert.equal(text.indexOf('<script', script + 1), -1)
    assert.doesNotMatch(text, /<script[^>]+src=|<link[^>]+stylesheet|@import|<img[^>]+src="(?!data:)/)
  }
})

test('an operation is found by words and by its path, and opened with Enter', async () => {
  const { page, errors } = await open('/docs')
  const links = async () =>
    (await page.locator('nav details a:visible').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))

  await page.keyboard.press('/')
  await page.keyboard.type('no such thing')
  await page.getByText('Nothing is called that.').waitFor()
  assert.deepEqual(await links(), [])
  await page.getByRole('searchbox').fill('/videos/{id}/restore')
  assert.deepEqual(await links(), ['POST Restore a video', 'PUT Restore version of a video'])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Restore a video' }).waitFor()

  assert.match(page.url(), /\/docs\/videos#restoreVideo$/)
  assert.deepEqual(errors, [])
  await page.context().close()
})

test('a record is described once on a page, and links to it unfold it', async () => {
  const { page } = await open('/docs/videos#createVideo')
  const field = page.locator('#record-Video dt', { hasText: 'friendly_title' }).first()
  assert.equal(await field.isVisible(), false)
  await page.locator('#createVideo').getByRole('link', { name: 'Fields of Video', exact: true }).click()
  await field.waitFor()
  await page.context().close()
})

const openConsole = async (page: Page, operation: string) => {
  await page.getByRole('button', { name: `Try it: ${operation}`, exact: true }).click()
  await page.getByRole('button', { name: /^Send / }).waitFor()
}

test('a request can be tried with values from a form, and the key is kept for the tab only', async () => {
  const { page, errors } = await open('/docs/videos')
  await openConsole(page, 'List videos')
  await page.getByLabel('Key or access token').fill('zk_read_only_0123')
  await page.getByLabel('More for query').selectOption('genre')
  await page.getByRole('button', { name: 'Add', exact: true }).first().click()
  await page.getByLabel('genre', { exact: true }).fill('News')
  const asked = page.waitForRequest(/\/videos\?/)
  await page.keyboard.press('Enter')
  assert.equal(new URL((await asked).url()).search, '?genre=News')
  assert.equal((await asked).headers()['x-api-key'], 'zk_read_only_0123')
  await page.getByText(/^200 OK · \d+ ms$/).waitFor()
  assert.match(await page.locator('.answer').innerText(), /"got": "GET \/videos\?genre=News"/)

  await page.getByText('Headers of the answer').click()
  await page.getByText('x-echo: 1').waitFor()
  await page.getByText('This request as code').click()
  const code = (await page.locator('.sent code').allInnerTexts()).join('\n')
  assert.match(code, /curl '.*\/videos\?genre=News' \\\n {2}-H "X-Api-Key: \$KEY"/)
  assert.match(code, /await client\.videos\.list\(\{\n {2}genre: "News"\n\}\)/)
  assert.ok(!code.includes('zk_read_only_0123'))
  assert.deepEqual(await barriersOn(page), [])

  await page.goto(`${origin}/docs/playlists`)
  await openConsole(page, 'List playlists')
  assert.equal(await page.getByLabel('Key or access token').inputValue(), 'zk_read_only_0123')
  await page.getByRole('button', { name: 'Forget' }).click()
  assert.equal(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'), 0)
  assert.deepEqual(errors, [])
  await page.context().close()
})

test('a write is only checked unless the reader wants it, and then asks first', async () => {
  const { page, errors } = await open('/docs/videos#updateVideo', { ...phone, colorScheme: 'dark' })
  await openConsole(page, 'Update a video')
  const answered = page.locator('.answer')
  await page.getByRole('button', { name: 'Send PUT', exact: true }).click()
  await answered.getByText(/"got": "PUT \/videos\/[0-9a-f]{24}\?dry_run=true"/).waitFor()
  assert.match(await answered.innerText(), /"video": \{\n\s+"\w+": /)

  await page.getByLabel(/Check only, change nothing/).uncheck()
  await page.getByRole('button', { name: 'Send PUT …' }).click()
  await page.getByText('This changes data in the channel of the key').waitFor()
  assert.equal(await overflowOf(page), 0)
  assert.deepEqual(await barriersOn(page), [])
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await answered.getByText(/"got": "PUT \/videos\/[0-9a-f]{24}"/).waitFor()
  assert.deepEqual(errors, [])
  await page.context().close()
})

test('every operation with a body that JSON or a form can have has a form', async () => {
  const { page, errors } = await open('/docs/videos')
  for (const path of ['/docs/playlists', '/docs/uploads', '/docs/batches', '/docs/tokens']) {
    await page.goto(origin + path)
    for (const button of await page.getByRole('button', { name: /^Try it: / }).all()) {
      await button.click()
      await page.getByRole('button', { name: /^Send / }).waitFor()
      assert.doesNotMatch(await page.locator('.outcome').innerText(), /could not/)
      await page.keyboard.press('Escape')
    }
  }
  assert.deepEqual(errors, [])
  await page.context().close()
})

test('the whole reference can be read without scripts', async () => {
  const { page } = await open('/docs', { ...phone, javaScriptEnabled: false })
  await page.getByRole('link', { name: 'Menu' }).click()
  assert.equal(await page.getByRole('searchbox').isVisible(), false)
  await page.locator('nav summary', { hasText: /^Tokens$/ }).click()
  await page.getByRole('link', { name: 'POST Sign in, or renew tokens' }).click()
  await page.getByRole('heading', { name: 'Sign in, or renew tokens' }).waitFor()
  assert.equal(
    await page
      .getByRole('button', { name: /^Try it/ })
      .first()
      .isVisible(),
    false,
  )
  await page.context().close()
})

test('document and pages come with a tag, and are not sent again to a caller who has them', async () => {
  for (const path of ['/openapi.json', '/docs', '/docs/videos']) {
    const first = await fetch(origin + path)
    const plain = await fetch(origin + path, { headers: { 'accept-encoding': 'identity' } })
    const etag = first.headers.get('etag') ?? ''
    assert.equal(first.headers.get('content-encoding'), 'gzip')
    assert.equal(plain.headers.get('content-encoding'), null)
    assert.equal(await first.text(), await plain.text())
    const status = async (tag: string) =>
      (await fetch(origin + path, { headers: { 'if-none-match': tag } })).status
    assert.deepEqual(
      await Promise.all([etag, `"other", ${etag.slice(2)}`, '*', etag.replace(/"$/, 'x"')].map(status)),
      [304, 304, 304, 200],
      path,
    )
  }
  const { openapi } = (await (await fetch(`${origin}/openapi.json`)).json()) as { openapi: string }
  assert.equal(openapi, '3.1.0')
  assert.equal((await fetch(`${origin}/docs/nothing`)).status, 404)
})

test('the reference stands on a server that ignores trailing slashes, outside the hooks of its neighbours', async () => {
  const other = fastify({ routerOptions: { ignoreTrailingSlash: true } })
  addReference(other, async () => openApi({ apiUrl: 'https://api.example.com', version: '1.2.3' }))
  other.register(async (child) => {
    child.addHook('onRequest', async (_request, reply) => reply.code(401).send())
    child.get('/videos', async () => 'never')
  })

  for (const [path, status] of Object.entries({
    '/docs': 200,
    '/docs/': 200,
    '/docs/videos': 200,
    '/openapi.json': 200,
    '/videos': 401,
  }))
    assert.equal((await other.inject(path)).statusCode, status, path)
  await other.close()
})
