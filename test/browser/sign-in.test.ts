import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { removeChannel } from '../../packages/server/src/auth/channels.js'
import { authorizeUrl, newChallenge } from '../api/login-forms.js'
import { canSignIn } from '../api/viewers.js'
import { startOwnApi, type TestApi, type TestConsumer } from '../support/api.js'
import { openBrowser } from '../support/browser.js'
import { type Outbox, openOutbox } from '../support/outbox.js'
import { note } from '../support/secrets.js'

/** Where to save screenshots of the pages for the documentation. */
const shots = process.env.SHOTS
const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="152" height="48" viewBox="0 0 152 48">
<circle cx="24" cy="24" r="20" fill="#0a7d55"/><text x="54" y="33" font-family="sans-serif" font-size="26">Harbour</text></svg>`

/** The app. It serves the channel's logo, and the page to which viewers are redirected. */
const app = createServer((request, response) => {
  if (request.url === '/logo.svg') return response.setHeader('content-type', 'image/svg+xml').end(logo)
  return response.setHeader('content-type', 'text/html').end('<title>The app</title><p>Welcome back.</p>')
})
let home: string
let api: TestApi
let outbox: Outbox
let browser: Browser
let viewer: TestConsumer

before(async () => {
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
  const { port } = app.address() as AddressInfo
  home = `http://127.0.0.1:${port}/back`
  api = await startOwnApi({ canMail: true })
  const admin = api.as('admin')
  await api.database.transaction((tx) => removeChannel(tx, api.other.channel._id))
  await admin.account.update({
    title: 'Harbour',
    brand_color: '#0a7d55',
    support_url: 'https://help.example.com/',
    logo_url: `http://127.0.0.1:${port}/logo.svg`,
  })
  await admin.apps.update(api.channel.app._id, {
    title: 'Harbour TV',
    redirect_uris: ['http://127.0.0.1/back'],
  })
  viewer = await api.channel.consumer('mina@example.com')
  outbox = await openOutbox(api)
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await outbox.stop()
  await api.stop()
  app.close()
  app.closeAllConnections()
})

/** Opens a page with JavaScript turned off, and collects its console errors in `errors`. */
async function openPage(): Promise<{ context: BrowserContext; page: Page; errors: string[] }> {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 800, height: 660 },
    extraHTTPHeaders: { 'accept-language': 'en' },
  })
  const page = await context.newPage()
  const errors: string[] = []
  // A form that is shown again has a 4xx status, which the console reports as an error.
  page.on('console', (line) => {
    if (line.type() === 'error' && !/the server responded with a status of 4\d\d/.test(line.text()))
      errors.push(line.text())
  })
  return { context, page, errors }
}

async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(viewer.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function takePicture(page: Page, name: string): Promise<void> {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true })
}

test('a viewer signs in, after one wrong try, and arrives at the app with a code that is worth tokens', async () => {
  const { context, page, errors } = await openPage()
  const { verifier, challenge } = newChallenge()
  const { client_id, client_secret } = api.channel.app
  await page.goto(
    authorizeUrl(api.url, {
      client_id,
      redirect_uri: home,
      code_challenge: challenge,
      state: 'kept & whole',
    }),
  )
  await takePicture(page, 'sign-in')
  await signIn(page, 'not the right password')
  assert.match(await page.getByRole('alert').innerText(), /is wrong/)
  assert.equal(await page.getByLabel('E-mail address').inputValue(), viewer.email)

  await signIn(page, viewer.password)
  await page.waitForURL(`${home}?**`)
  const arrived = new URL(page.url()).searchParams
  const code = arrived.get('code') ?? ''
  note(code)
  assert.deepEqual([arrived.get('state'), arrived.get('iss')], ['kept & whole', api.url])
  const tokens = await fetch(`${api.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: home },
      ...{ client_id, client_secret: String(client_secret) },
    }),
  })
  assert.equal(tokens.status, 200)
  assert.deepEqual(await context.cookies(), [])
  assert.deepEqual(errors, [])
  await context.close()
})

test('a viewer links a TV with the PIN that it shows, after typing a wrong one', async () => {
  const { context, page, errors } = await openPage()
  const linked_device_id = 'tv-in-the-living-room'
  const { pin } = await api.as('app').pin.acquire({ linked_device_id, type: 'Television' })
  await api.database.db`update linked_devices set asked_from = '203.0.113.7'`
  await page.goto(`${api.url}/link`)
  await page.getByLabel('PIN').fill('abc 2345')
  await page.getByRole('button', { name: 'Continue' }).click()
  assert.match(await page.getByRole('alert').innerText(), /not valid/)

  await page.getByLabel('PIN').fill(String(pin).toUpperCase())
  await page.getByRole('button', { name: 'Continue' }).click()
  await signIn(page, viewer.password)
  const facts = await page.locator('dl').innerText()
  for (const shown of [String(pin), 'Harbour TV', 'Television', '203.0.113.7', viewer.email])
    assert.ok(facts.includes(shown), shown)
  await takePicture(page, 'link')
  await page.getByRole('button', { name: 'Link device' }).click()
  await page.getByRole('heading', { name: 'Your TV is linked' }).waitFor()

  assert.equal((await api.as('admin').pin.status({ linked_device_id })).consumer_id, viewer._id)
  assert.match((await outbox.nextMail(viewer.email)).subject, /device was linked/)
  assert.deepEqual(await context.cookies(), [])
  assert.deepEqual(errors, [])
  await context.close()
})

test('a viewer replaces a forgotten password with the link of the mail', async () => {
  const { context, page, errors } = await openPage()
  const { client_id } = api.channel.app
  await page.goto(authorizeUrl(api.url, { client_id, redirect_uri: home }))
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('E-mail address').fill(viewer.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByRole('heading', { name: 'Look at your mail' }).waitFor()

  const mail = await outbox.nextMail(viewer.email)
  assert.equal(mail.subject, 'Choose a new password for Harbour')
  const [link = ''] = mail.links
  note(new URL(link).searchParams.get('token') ?? '')
  await page.goto(link)
  const chosen = 'Seven unrelated herons'
  note(chosen)
  await page.getByLabel('New password').fill(chosen)
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByRole('heading', { name: 'Your password is changed' }).waitFor()

  assert.equal(await canSignIn(api, viewer.email, viewer.password), false)
  assert.equal(await canSignIn(api, viewer.email, chosen), true)
  assert.deepEqual(errors, [])
  await context.close()
})
