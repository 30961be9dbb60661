import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barriersOn, overflowOf } from '../support/dashboard.js'
import { leave, looks, withDashboard } from '../support/dashboard-tests.js'
import { password } from '../support/publishers.js'

const dashboard = withDashboard()

const ask = (path: string, key: string) =>
  fetch(`${dashboard.api.url}${path}${path.includes('?') ? '&' : '?'}api_key=${key}`)

test('a key is shown after the password, replaced, and the old one works for as long as was said', async () => {
  const page = await dashboard.open('/keys')
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  const card = page.getByRole('region', { name: 'Read-only key' }).first()
  await card.waitFor()
  assert.match((await card.textContent()) ?? '', /[•*…]/)
  // The last password confirmation was an hour ago.
  await dashboard.api.database.db`update publisher_sessions set confirmed_at = now() - interval '1 hour'`
  const dialog = page.getByRole('dialog')
  // Closing the dialog shows neither the key nor an error, and the publisher can try again.
  await card.getByRole('button', { name: 'Show: Read-only key' }).click()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('alert').count(), 0)
  await card.getByRole('button', { name: 'Show: Read-only key' }).click()
  await dialog.getByRole('textbox', { name: 'Password' }).fill('not the password')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText('This is not your password.').waitFor()
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  const shown = card.getByText(/^zk_\w+[0-9a-f]{30}$/)
  await shown.waitFor()
  const before = (await shown.textContent()) ?? ''
  assert.equal((await ask('/videos', before)).status, 200)

  await card.getByRole('button', { name: 'Replace: Read-only key' }).click()
  await page.getByLabel('The old one stops working').selectOption('1')
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  await page.getByText('Replaced: Read-only key').waitFor()
  const now = (await card.getByText(/^zk_\w+[0-9a-f]{30}$/).textContent()) ?? ''
  assert.notEqual(now, before)
  for (const key of [before, now]) assert.equal((await ask('/videos', key)).status, 200)
  await card.getByText(/The previous key works until/).waitFor()
  await leave(page)
})

test('a key with a name is made with a preset, shown once, changed, and revoked', async () => {
  const page = await dashboard.open('/keys')
  const section = page.getByRole('region', { name: 'Keys for one purpose' })
  await section.getByText('No keys yet').waitFor()
  await dashboard.api.database.db`update publisher_sessions set confirmed_at = now() - interval '1 hour'`
  await section.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  await dialog.getByLabel('Name').fill('Upload script')
  await dialog.getByRole('radio', { name: /^Upload and edit videos/ }).check()
  await dialog.getByLabel('Only from these networks').fill('127.0.0.0/33')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const secret = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: 'Confirm' }) })
  // A wrong password keeps the form.
  await secret.getByRole('textbox', { name: 'Password' }).fill('not the password')
  await secret.getByRole('button', { name: 'Confirm' }).click()
  await secret.getByText('This is not your password.').waitFor()
  await secret.getByRole('textbox', { name: 'Password' }).fill(password)
  await secret.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText(/has 127\.0\.0\.0\/33/).waitFor()
  await dialog.getByLabel('Only from these networks').fill('127.0.0.0/8\n::1')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const shown = dialog.getByText(/^zk_named_[0-9a-f]{40}$/)
  await shown.waitFor()
  const key = (await shown.textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Copy: Key' }).waitFor()
  assert.deepEqual(await barriersOn(page), [])
  assert.deepEqual([(await ask('/videos', key)).status, (await ask('/playlists', key)).status], [200, 403])
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })

  await section
    .getByText('Reads videos and upload tokens. Changes videos, uploads, and upload tokens.')
    .waitFor()
  await section.getByText(`zk_named_…${key.slice(-4)}`, { exact: false }).waitFor()
  assert.ok(!(await page.content()).includes(key))
  await page.reload()
  await section.getByText(/Last used/).waitFor()

  await section.getByRole('button', { name: 'Change “Upload script”' }).click()
  const change = page.getByRole('dialog', { name: 'Change “Upload script”' })
  await change.getByRole('radio', { name: /^Let me choose/ }).check()
  // Changing includes reading, until somebody takes one of them away.
  await change.getByRole('checkbox', { name: 'Change: Playlists' }).check()
  assert.equal(await change.getByRole('checkbox', { name: 'Read: Playlists' }).isChecked(), true)
  await change.getByRole('checkbox', { name: 'Change: Playlists' }).uncheck()
  await change.getByRole('checkbox', { name: 'Read: Videos' }).uncheck()
  assert.deepEqual(await barriersOn(page), [])
  await change.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Saved/).waitFor()
  assert.deepEqual([(await ask('/videos', key)).status, (await ask('/playlists', key)).status], [403, 200])

  await section.getByRole('button', { name: 'Revoke “Upload script”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Key revoked').waitFor()
  assert.equal((await ask('/playlists', key)).status, 401)
  await section.getByText('No keys yet').waitFor()
  await leave(page)
})

for (const [look, options] of Object.entries(looks))
  test(`keys with names are readable and have no barriers on ${look}`, async () => {
    const { keys } = dashboard.api.as('admin')
    const day = 86_400_000
    const made = await keys.create({
      name: `Statistics of the evening programme on ${look}`,
      scopes: ['plays:read', 'videos:read', 'playlists:read', 'subscriptions:read'],
      expires_at: new Date(Date.now() + 30 * day),
      allowed_networks: ['203.0.113.0/24', '2001:db8:1234:5678::/64'],
    })
    const old = await keys.create({ name: `Old on ${look}`, scopes: ['*:read', '*:write'] })
    await dashboard.api.database
      .db`update named_keys set expires_at = now() - interval '1 day' where _id = ${old._id}`
    const page = await dashboard.open('/keys', options)
    await page.getByText(`Old on ${look}`, { exact: true }).waitFor()
    await page.getByText('Expired', { exact: true }).waitFor()
    assert.deepEqual([await barriersOn(page), await overflowOf(page)], [[], 0])
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('radio', { name: /^Let me choose/ }).check()
    await page.getByRole('checkbox', { name: 'Change: Viewers' }).waitFor()
    assert.deepEqual([await barriersOn(page), await overflowOf(page)], [[], 0])
    for (const { _id } of [made, old]) await keys.remove(_id)
    await leave(page)
  })
