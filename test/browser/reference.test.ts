import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import fastify from 'fastify'
import type { Browser } from 'playwright-core'
import { openApi } from '../../packages/server/src/http/openapi/document.js'
import { addReference } from '../../packages/server/src/http/reference.js'
import { openBrowser } from '../support/browser.js'

const app = fastify()
let origin: string
let browser: Browser

before(async () => {
  addReference(app, () => openApi({ apiUrl: 'https://api.example.com', version: '1.2.3' }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await app.close()
})

/** Opens an address, and notes every request the page makes and every error it reports. */
async function open(path: string, width: number) {
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  const requests: string[] = []
  const errors: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(origin + path)
  await page.getByRole('heading', { name: 'Zoetrope API' }).first().waitFor()
  return { page, requests, errors }
}

/** Time for a request that the page would make late. */
const latecomers = 1000

const outside = (urls: readonly string[]) =>
  urls.filter((url) => !/^(data|blob):/.test(url) && new URL(url).origin !== origin)

test('the reference shows the operations and asks nobody but this server', async () => {
  const { page, requests, errors } = await open('/docs', 1280)

  await page.getByRole('button', { name: 'Open Group - Videos', exact: true }).click()
  await page.getByRole('link', { name: /List videos/ }).click()
  await page.getByRole('heading', { name: 'List videos' }).waitFor()
  await page.waitForTimeout(latecomers)

  assert.equal(await page.title(), 'Zoetrope API reference')
  assert.ok(requests.includes(`${origin}/openapi.json`))
  assert.deepEqual(outside(requests), [])
  assert.deepEqual(errors, [])
  await page.close()
})

test('the reference can be read on a phone', async () => {
  const { page, requests, errors } = await open('/docs/', 390)

  await page.getByRole('button', { name: 'Open Menu' }).click()
  await page.getByRole('button', { name: 'Open Group - Videos', exact: true }).click()
  await page.getByRole('link', { name: /List videos/ }).click()
  await page.getByRole('heading', { name: 'List videos' }).waitFor()
  await page.waitForTimeout(latecomers)
  const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')

  assert.ok(Number(overflow) <= 0, `wider than the screen by ${overflow} pixels`)
  assert.deepEqual(outside(requests), [])
  assert.deepEqual(errors, [])
  await page.close()
})

test('an operation can be searched for and opened', async () => {
  const { page, requests, errors } = await open('/docs', 1280)

  await page
    .getByRole('button', { name: /search/i })
    .first()
    .click()
  await page.getByRole('combobox').fill('Restore a video')
  await page
    .getByRole('option', { name: /Restore a video/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Restore a video' }).waitFor()

  assert.match(page.url(), /restore/)
  assert.deepEqual(outside(requests), [])
  assert.deepEqual(errors, [])
  await page.close()
})

test('a browser without scripts is told where the document is', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${origin}/docs`)

  assert.equal(await page.getByRole('link', { name: 'openapi.json' }).getAttribute('href'), '/openapi.json')
  await context.close()
})

test('the document comes with a tag, and is not sent again to someone who has it', async () => {
  const first = await fetch(`${origin}/openapi.json`)
  const again = await fetch(`${origin}/openapi.json`, {
    headers: { 'if-none-match': first.headers.get('etag') ?? '' },
  })

  assert.equal(first.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(((await first.json()) as { openapi: string }).openapi, '3.1.0')
  assert.equal(again.status, 304)
})

test('the reference stands on a server that ignores trailing slashes, outside the hooks of its neighbours', async () => {
  const other = fastify({ routerOptions: { ignoreTrailingSlash: true } })
  addReference(other, () => openApi({ apiUrl: 'https://api.example.com', version: '1.2.3' }))
  other.register(async (child) => {
    child.addHook('onRequest', async (_request, reply) => reply.code(401).send())
    child.get('/videos', async () => 'never')
  })

  for (const [path, status] of Object.entries({
    '/docs': 200,
    '/docs/': 200,
    '/openapi.json': 200,
    '/videos': 401,
  }))
    assert.equal((await other.inject(path)).statusCode, status, path)
  await other.close()
})
