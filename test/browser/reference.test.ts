import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import fastify from 'fastify'
import { type Browser, chromium } from 'playwright-core'
import { openApi } from '../../packages/server/src/http/openapi.js'
import { addReference } from '../../packages/server/src/http/reference.js'

const app = fastify()
let origin: string
let browser: Browser

before(async () => {
  addReference(app, openApi({ apiUrl: 'https://api.example.com', version: '1.2.3' }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
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

const outside = (urls: readonly string[]) =>
  urls.filter((url) => !/^(data|blob):/.test(url) && new URL(url).origin !== origin)

test('the reference shows the operations and asks nobody but this server', async () => {
  const { page, requests, errors } = await open('/docs', 1280)

  await page.getByRole('heading', { name: 'List videos' }).waitFor()
  await page.waitForLoadState('networkidle')

  assert.equal(await page.title(), 'Zoetrope API reference')
  assert.ok(requests.includes(`${origin}/openapi.json`))
  assert.deepEqual(outside(requests), [])
  assert.deepEqual(errors, [])
  await page.close()
})

test('the reference can be read on a phone', async () => {
  const { page, requests, errors } = await open('/docs/', 390)

  await page.getByRole('heading', { name: 'List videos' }).waitFor()
  await page.waitForLoadState('networkidle')
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
