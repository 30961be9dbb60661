import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPasswordLink } from '../../packages/server/src/auth/sign-in-links.js'
import { codeAt, stepAt } from '../../packages/server/src/lib/totp.js'
import { barriersOn, overflowOf, phone, signIn } from '../support/dashboard.js'
import { leave, withDashboard } from '../support/dashboard-tests.js'
import { openWorker } from '../support/media.js'
import { until } from '../support/patience.js'
import { addPublisher, password, welcomeLink } from '../support/publishers.js'
import { note } from '../support/secrets.js'

const dashboard = withDashboard()

const ask = (path: string, key: string) =>
  fetch(`${dashboard.api.url}${path}${path.includes('?') ? '&' : '?'}api_key=${key}`)

test('an app is made, and a token is had with the credentials that its page shows', async () => {
  const page = await dashboard.open('/apps/new')
  await page.getByLabel(/^Name/).fill('Living room')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Living room', level: 1 }).waitFor()
  const region = (label: string) => page.getByRole('region', { name: label, exact: true })
  const shown = async (label: string) => (await region(label).textContent()) ?? ''
  assert.match(await shown('Client secret'), /^zs_client_….{4}$/)
  await dashboard.api.database.db`update publisher_sessions set confirmed_at = now() - interval '1 hour'`
  await page.getByRole('button', { name: 'Show: App key and client secret' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await region('Client secret')
    .getByText(/^zs_client_[0-9a-f]{40}$/)
    .waitFor()
  const [client_id, client_secret] = [await shown('Client ID'), await shown('Client secret')]
  await dashboard.api.as('admin').consumers.create({ email: 'bo@example.com', password: 'a long password' })
  const reply = await fetch(`${dashboard.api.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      username: 'bo@example.com',
      password: 'a long password',
      client_id,
      client_secret,
    }),
  })
  assert.equal(reply.status, 200)
  await page.getByRole('button', { name: 'Replace: App key and client secret' }).click()
  await page
    .getByRole('dialog')
    .getByText(/Installed copies of the app that still use the old ones/)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  await page.getByText('Replaced: App key and client secret').waitFor()
  assert.notEqual(await shown('Client secret'), client_secret)
  await leave(page)
})

test('a person is invited by a link, joins, and gets another role', async () => {
  const page = await dashboard.open('/team')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('E-mail address').fill('new@example.com')
  await page.getByRole('dialog').getByLabel('Role').selectOption('viewer')
  // The session was left open: the dashboard asks for the password, and then goes on.
  await dashboard.api.database.db`update publisher_sessions set confirmed_at = now() - interval '1 hour'`
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
  const confirming = page.getByRole('dialog', { name: 'Confirm your password' })
  await confirming.getByRole('textbox', { name: 'Password' }).fill(password)
  await confirming.getByRole('button', { name: 'Confirm' }).click()
  const link = page.getByRole('region', { name: 'Invitation link' })
  await link.waitFor()
  const address = new URL((await link.textContent()) ?? '')
  const guest = await (await dashboard.browser.newContext({ ...phone, colorScheme: 'dark' })).newPage()
  await guest.goto(`${dashboard.api.url}${address.pathname}`)
  await guest.getByLabel('Your name').fill('Noor')
  assert.deepEqual([await barriersOn(guest), await overflowOf(guest)], [[], 0])
  await guest.getByRole('textbox', { name: 'Password' }).fill('a password of mine')
  await guest.getByRole('button', { name: 'Join' }).click()
  await guest.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  assert.equal(await guest.getByRole('link', { name: 'Upload' }).count(), 0)
  await guest.goto(`${dashboard.api.url}/dashboard/keys`)
  await guest.getByRole('heading', { name: 'Your role (Guest) does not allow this' }).waitFor()
  await guest.goto(`${dashboard.api.url}${address.pathname}`)
  await guest.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
  await guest.context().close()

  await page.reload()
  await page.getByLabel('Role of new@example.com').selectOption('editor')
  await page.getByText('Role changed').waitFor()
  await page.getByRole('button', { name: 'Remove new@example.com from the channel' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Removed from the channel').waitFor()
  await leave(page)
})

test('the link of the welcome leads to a page for a first password, and from there to the dashboard', async () => {
  const { api, browser } = dashboard
  const first = await addPublisher(api, [api.channel, 'owner'])
  const link = (await welcomeLink(api, first)) ?? ''
  const page = await (await browser.newContext({ ...phone, colorScheme: 'dark' })).newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(link)
  await page.getByRole('heading', { name: 'Welcome to Zoetrope' }).waitFor()
  assert.equal(await page.getByLabel('E-mail address').inputValue(), first.email)
  assert.deepEqual([await barriersOn(page), await overflowOf(page)], [[], 0])

  await page.getByLabel('E-mail address').fill(`mine-${first.email}`)
  await page.getByLabel('Choose a password').fill('a first password')
  note('a first password')
  await page.getByRole('button', { name: 'Open the dashboard' }).click()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  assert.deepEqual(
    asked.filter((url) => url.includes(link.split('#')[1] ?? '') && url !== link),
    [],
  )
  await page.goto(link)
  await page.reload()
  await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
  await page.getByRole('link', { name: 'Sign in with a password' }).click()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.context().close()
})

test('a forgotten password: whom to ask without mail, and the page of the link', async () => {
  const { api, browser } = dashboard
  const person = await addPublisher(api, [api.channel, 'owner'])
  const page = await (await browser.newContext({ ...phone, colorScheme: 'dark' })).newPage()
  await page.goto(`${api.url}/dashboard`)
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await page.getByText(/This server cannot send e-mail/).waitFor()
  assert.deepEqual([await barriersOn(page), await overflowOf(page)], [[], 0])
  await page.getByRole('button', { name: 'Go to sign-in' }).click()
  await page.getByLabel('E-mail address').waitFor()

  const { email } = person
  const link = await newPasswordLink(api.database.db, api.parts.sealer, api.url, { email, hours: 1 })
  note(link?.url.split('#')[1] ?? '')
  await page.goto(link?.url ?? '')
  await page.getByLabel('Choose a new password').fill('another first password')
  note('another first password')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await signIn(page, email, 'another first password')
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.context().close()
})

test('a new password ends the other sessions, and requests of apps are in the log', async () => {
  const page = await dashboard.open('/account')
  await page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor()
  await page.getByLabel('Current password').first().fill(password)
  await page.getByLabel('New password').fill('a very new password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText(/other sessions were signed out/).waitFor()
  await ask('/videos?q=nothing', dashboard.api.channel.keys.admin)
  await page.goto(`${dashboard.api.url}/dashboard/requests`)
  await page.getByRole('heading', { name: 'Request log', level: 1 }).waitFor()
  await until('The request in the log', async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    return (await page.getByText('GET /videos').count()) > 0
  })
  await leave(page)
})

test('with an authenticator app, signing in takes its code', async () => {
  const page = await dashboard.open('/account')
  await page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor()
  const email =
    (await page
      .getByText(/@example\.com$/)
      .first()
      .textContent()) ?? ''
  const section = page.getByRole('region', { name: 'Authenticator app' })
  await section.getByLabel('Current password').fill(password)
  await section.getByRole('button', { name: 'Set up' }).click()
  const secret = (await section.getByRole('region', { name: 'Setup key' }).textContent()) ?? ''
  note(secret)
  const code = (step: number) => codeAt(secret, stepAt(Date.now()) + step)
  await section.getByLabel('Code').fill('000 000')
  await section.getByRole('button', { name: 'Turn on' }).click()
  await section.getByText(/code/i).last().waitFor()
  await section.getByLabel('Code').fill(code(0))
  await section.getByRole('button', { name: 'Turn on' }).click()
  for (const kept of ((await section.locator('pre').textContent()) ?? '').split('\n')) note(kept)
  await section.getByRole('button', { name: 'I’ve saved my codes' }).click()
  await section.getByText('Signing in requires a code from your authenticator app.').waitFor()

  await page.getByRole('button', { name: /Signed in as/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await signIn(page, email)
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  assert.deepEqual(await barriersOn(page), [])
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('This code is wrong, or was used before.').waitFor()
  await page.getByLabel('Code').fill(code(1))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: `Signed in as ${email}` }).waitFor()
  await leave(page)
})

test('the look of the player is seen before it is saved, and then wherever the player is', async () => {
  const { api } = dashboard
  const { _id } = await api.as('admin').videos.create({ title: 'In the player' })
  await api.database.db`update videos set status = 'ready' where _id = ${_id}`
  const page = await dashboard.open('/settings/player')
  await page.getByRole('heading', { name: 'Player', level: 1 }).waitFor()
  const player = page.frameLocator('iframe').locator('zoetrope-player')
  await player.waitFor()
  await page.getByLabel('Player color').fill('#cc5500')
  await page.frameLocator('iframe').locator('zoetrope-player[accent="#cc5500"]').waitFor()
  assert.deepEqual(await barriersOn(page), [])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Saved/).waitFor()
  const { player_color } = await api.as('admin').account.get()
  assert.equal(player_color, '#cc5500')
  await page.context().close()
})

test('a channel is deleted only with its name, and the publisher goes on in another one', async () => {
  const { api } = dashboard
  const page = await dashboard.open('/team')
  await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'New channel' }).click()
  await page.getByLabel('Name').fill('Passing')
  await page.getByRole('button', { name: 'Create channel' }).click()
  await page.getByRole('button', { name: /^Channel: / }).click()
  await page.getByRole('menuitem', { name: /Passing/ }).click()
  await page.getByRole('link', { name: 'Channel', exact: true }).click()
  await page.getByRole('button', { name: 'Delete this channel' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Something else')
  await dialog.getByRole('button', { name: 'Delete this channel' }).click()
  await dialog.locator('[aria-invalid=true]').waitFor()
  await dialog.getByRole('textbox').fill('Passing')
  await dialog.getByRole('button', { name: 'Delete this channel' }).click()
  await page.getByText('Deleted the channel “Passing”').waitFor()
  const [row] = await api.database.db`select count(*)::int as count from channels where title = 'Passing'`
  assert.equal(row?.count, 0)
  await page.context().close()
})

test('all videos are deleted only with the name of the channel and the password, and can be brought back', async () => {
  const { videos } = dashboard.api.as('admin')
  const { _id } = await videos.create({ title: 'Spared' })
  const page = await dashboard.open('/settings/channel')
  await page.getByRole('button', { name: 'Delete all videos' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete all videos' })
  await dialog.getByRole('textbox').fill('One')
  await dialog.getByRole('button', { name: 'Delete all videos' }).click()
  const secret = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: 'Confirm' }) })
  await secret.getByRole('button', { name: 'Close' }).click()
  await secret.waitFor({ state: 'detached' })
  assert.equal((await videos.get(_id)).title, 'Spared')
  await dialog.getByRole('button', { name: 'Delete all videos' }).click()
  await secret.getByRole('textbox', { name: 'Password' }).fill(password)
  await secret.getByRole('button', { name: 'Confirm' }).click()
  // No worker runs yet: reopening the page shows that the job is pending.
  await page.getByText(/^Deleting, /).waitFor()
  await page.reload()
  await page.getByText(/^Deleting, /).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Delete all videos' }).isDisabled(), true)
  const worker = openWorker(dashboard.api)
  try {
    await page.getByText('All videos were deleted').waitFor()
    assert.deepEqual((await videos.list({ active: 'all' })).response, [])
    await page.getByRole('button', { name: /^Restore \d/ }).click()
    await page.getByText('Videos restored').waitFor()
  } finally {
    await worker.stop()
  }
  assert.equal((await videos.get(_id)).title, 'Spared')
  await leave(page)
})

test('a dashboard whose files do not come says so, and is there once they do', async () => {
  const context = await dashboard.browser.newContext()
  const page = await context.newPage()
  await context.route(/assets\/main-/, (route) => route.abort())
  await page.goto(`${dashboard.api.url}/dashboard/keys`)
  await page.getByText('The dashboard could not be loaded').waitFor()
  await context.unroute(/assets\/main-/)
  await page.getByRole('alert').getByRole('link', { name: 'Reload the page' }).click()
  await page.getByLabel('E-mail address').waitFor()
  await context.close()
})

test('an owner sees where films are kept, checks it, and follows a move', async () => {
  const { db } = dashboard.api.database
  const move = { from_place: 'disk', to_place: 's3://store.example/films', runner: 'x' }
  const amounts = { total_objects: 400, total_bytes: 4e9, moved_objects: 100, moved_bytes: 1e9 }
  await db`insert into storage_moves ${db({ _id: 'a'.repeat(24), ...move, ...amounts })}`
  const failure = { move_id: 'a'.repeat(24), key: 'sources/b/source', reason: 'The store was full.' }
  await db`insert into storage_move_failures ${db(failure)}`
  const page = await dashboard.open('/settings/status', phone)
  await page.getByRole('link', { name: 'Where films are kept' }).click()
  await page.getByText('Disk of the server').waitFor()
  await page.getByRole('progressbar', { name: '25% moved' }).waitFor()
  await page.getByText('100 of 400 files, 1 GB of 4 GB').waitFor()
  await page.getByText('sources/b/source: The store was full.').waitFor()
  await page.getByText('Not checked yet.').waitFor()
  await page.getByRole('button', { name: 'Check storage' }).click()
  await page.getByText('The storage can do everything.').waitFor()
  await page.getByText('A part of an object can be read.').waitFor()
  await page.getByText('Not verified yet.').waitFor()
  await page.getByRole('button', { name: 'Verify films' }).click()
  await page.getByText(/^All \d+ files are there, with the right size\./).waitFor()
  await page.getByText("zoetrope storage check --url 's3://").waitFor()
  await page.getByRole('region', { name: 'Move the films into the bucket' }).waitFor()
  assert.deepEqual([await overflowOf(page), await barriersOn(page)], [0, []])
  await db`delete from storage_moves`
  await leave(page)
  const refused = await dashboard.open('/settings/storage', { role: 'editor' })
  await refused.getByRole('heading', { name: 'Your role (Editor) does not allow this' }).waitFor()
  await refused.context().close()
})
