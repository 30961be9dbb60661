import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { goTo, settled, signIn } from '../support/dashboard.js'
import { withDashboard } from '../support/dashboard-tests.js'
import { password } from '../support/publishers.js'
import { note } from '../support/secrets.js'

let attacker: Server
/** The attacker's pages, by path. */
const traps = new Map<string, string>()
const dashboard = withDashboard(async () => {
  attacker = createServer((request, reply) => {
    reply.setHeader('content-type', 'text/html')
    reply.end(traps.get(request.url ?? '') ?? '')
  })
  await new Promise<void>((resolve) => attacker.listen(0, resolve))
  return async () => attacker.close()
})

/** The attacker's origins: another port of the same host, whose requests carry the cookies, and another host. */
const sites = () =>
  ['127.0.0.1', 'localhost'].map((host) => `http://${host}:${(attacker.address() as AddressInfo).port}`)
const sessionOf = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === 'zoetrope_session')?.value ?? ''
const isSignedIn = async (page: Page) => {
  await page.goto(`${dashboard.api.url}/dashboard/account`)
  await settled(page)
  return (await page.getByRole('heading', { name: 'Your account', level: 1 }).count()) > 0
}

const wanted = { email: 'evil@example.com', role: 'owner', name: 'Evil', title: 'Evil' }
/** Requests that a form can send: content type and path. */
const forms: readonly (readonly [string, string])[] = [
  ['text/plain', '/dashboard/api/invitations'],
  ['text/plain', '/dashboard/api/channels'],
  ['text/plain', '/dashboard/api/sample'],
  ['text/plain', '/videos'],
  ['application/x-www-form-urlencoded', '/dashboard/api/session'],
  ['application/x-www-form-urlencoded', '/videos'],
  ['multipart/form-data', '/uploads'],
]
/** Requests that a script can send. */
const requests: readonly (readonly [string, string])[] = [
  ['GET', '/videos'],
  ['GET', '/apps'],
  ['GET', '/dashboard/api/session'],
  ['GET', '/dashboard/api/keys'],
  ['POST', '/videos'],
  ['POST', '/dashboard/api/keys/admin/reveal'],
  ['DELETE', '/dashboard/api/sessions'],
]

test('a form or a script of another site can neither act as a signed-in publisher nor learn anything', async () => {
  const { api } = dashboard
  const channel = api.channel.channel._id
  const json = JSON.stringify(wanted)
  const page = await dashboard.open('/')
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  const before = await page.context().cookies()
  for (const site of sites()) {
    for (const [type, path] of forms) {
      const action = `${api.url}${path}?channel_id=${channel}`
      const input = `<input name="${json.replaceAll('"', '&quot;')}" value="">`
      traps.set('/form', `<form method="post" enctype="${type}" action="${action}">${input}</form>`)
      await page.goto(`${site}/form`)
      const answering = page.waitForResponse(action)
      await page.evaluate('document.forms[0].submit()')
      assert.ok((await answering).status() >= 400, `${type} from ${site} to ${path}`)
      await page.waitForURL(action)
    }
    await page.goto(`${site}/script`)
    for (const [method, path] of requests)
      for (const headers of [{}, { 'x-channel-id': channel, 'x-csrf-token': 'guessed' }]) {
        const init = { method, credentials: 'include', headers, ...(method === 'POST' ? { body: json } : {}) }
        const asking = `fetch(${JSON.stringify(api.url + path)}, ${JSON.stringify(init)})`
        const learnt = await page.evaluate(`${asking}.then((reply) => reply.ok && reply.text(), () => false)`)
        assert.equal(learnt, false, `${method} ${path} from ${site}`)
      }
  }
  assert.deepEqual((await api.as('admin').videos.list({ active: 'all' })).response, [])
  const [made] = await api.database.db`
    select (select count(*)::int from invitations) as invitations, (select count(*)::int from channels) as channels
  `
  assert.deepEqual(made, { invitations: 0, channels: 2 })
  assert.deepEqual(await page.context().cookies(), before)
  assert.ok(await isSignedIn(page))
  await page.context().close()
})

test('an app of another site that sends credentials reads with its key, and learns nothing of a session', async () => {
  const { api } = dashboard
  const page = await dashboard.open('/')
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  const ask = (path: string, init: object) =>
    page.evaluate(
      `fetch(${JSON.stringify(api.url + path)}, ${JSON.stringify({ credentials: 'include', ...init })})
        .then((reply) => reply.status, () => 'withheld')`,
    )
  const { app_key, channel } = api.channel
  const session = { headers: { 'x-channel-id': channel._id } }
  for (const site of sites()) {
    await page.goto(`${site}/app`)
    assert.equal(await ask(`/videos?app_key=${app_key}`, {}), 200)
    assert.equal(await ask('/videos', { headers: { 'x-app-key': app_key } }), 200)
    assert.equal(await ask('/videos?app_key=wrong', {}), 401)
    assert.equal(await ask('/videos', session), 'withheld')
    assert.equal(await ask(`/videos/${'f'.repeat(24)}/events?channel_id=${channel._id}`, {}), 'withheld')
    assert.equal(await ask('/dashboard/api/session', {}), 'withheld')
  }
  await page.goto(`${api.url}/dashboard`)
  assert.equal(await ask('/videos', session), 200)
  await page.context().close()
})

test('pages with actions cannot be framed by other sites', async () => {
  const page = await dashboard.open('/')
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  const paths = [
    '/dashboard',
    '/dashboard/keys',
    '/dashboard/invitation/x',
    '/link',
    '/forgot-password',
    '/docs',
  ]
  traps.set('/frames', paths.map((path) => `<iframe src="${dashboard.api.url}${path}"></iframe>`).join(''))
  for (const site of sites()) {
    await page.goto(`${site}/frames`)
    const frames = page.frames().slice(1)
    assert.equal(frames.length, paths.length)
    for (const [index, frame] of frames.entries()) {
      await frame.waitForLoadState()
      assert.match(await frame.evaluate('location.href'), /^chrome-error:/, `${paths[index]} in ${site}`)
    }
  }
  await page.context().close()
})

test('a planted session is not adopted, and a new password ends all other sessions', async () => {
  const { api, browser } = dashboard
  const page = await dashboard.open('/account')
  await page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor()
  const email =
    (await page
      .getByText(/@example\.com/)
      .first()
      .textContent()) ?? ''
  const elsewhere = await browser.newContext()
  const planted = 'a'.repeat(43)
  await elsewhere.addCookies([{ name: 'zoetrope_session', value: planted, url: api.url }])
  const other = await elsewhere.newPage()
  await other.goto(`${api.url}/dashboard/account`)
  await signIn(other, email)
  await other.getByRole('heading', { name: 'Your account', level: 1 }).waitFor()
  const taken = await sessionOf(other)
  note(taken)
  assert.notEqual(taken, planted)

  await page.getByLabel('Current password').first().fill(password)
  await page.getByLabel('New password').fill('quite another phrase 31')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText(/other sessions were signed out/).waitFor()
  await goTo(page, '/keys')
  // The next action in the other browser opens the sign-in page, where the old password no longer works.
  await other.getByRole('link', { name: 'Videos', exact: true }).click()
  await other.getByRole('button', { name: 'Sign in' }).waitFor()
  await signIn(other, email)
  await other.getByRole('alert').waitFor()
  assert.equal(await isSignedIn(other), false)
  assert.equal(await isSignedIn(page), true)
  await elsewhere.close()
  await page.context().close()
})
