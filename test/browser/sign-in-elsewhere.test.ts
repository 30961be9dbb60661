/** Publishers sign in to the dashboard with an identity provider, in a browser. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { freePort, startOwnApi, type TestApi } from '../support/api.js'
import { openBrowser } from '../support/browser.js'
import { barriersOn } from '../support/dashboard.js'
import { client, startIdentityProvider, type TestProvider } from '../support/identity-provider.js'

let api: TestApi
let provider: TestProvider
let browser: Browser
before(async () => {
  const port = await freePort()
  const oidc = {
    issuer: `http://127.0.0.1:${port}`,
    ...client,
    name: 'Example',
    rolesClaim: 'zoetrope_roles',
  }
  api = await startOwnApi({ oidc: { ...oidc, allowsPasswords: false } })
  provider = await startIdentityProvider(port, `${api.url}/dashboard/oidc/callback`, {
    ann: { email: 'ann@example.com', email_verified: true, name: 'Ann', zoetrope_roles: ['owner'] },
    eve: { email: 'eve@example.com', email_verified: true },
  })
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await provider.stop()
  await api.stop()
})

async function signIn(name: string, path = '') {
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  await page.goto(`${api.url}/dashboard${path}`)
  await page.getByRole('link', { name: 'Continue with Example' }).click()
  await page.locator('[name=login]').fill(name)
  await page.locator('[name=password]').fill('any')
  await page.keyboard.press('Enter')
  return page
}

test('the provider signs an owner in and leads back to the page; secrets ask there again', async () => {
  const page = await signIn('ann', '/keys')
  const keys = `${api.url}/dashboard/c/${api.channel.channel._id}/keys`
  await page.waitForURL(keys)
  await api.database.db`update publisher_sessions set confirmed_at = now() - interval '1 hour'`
  await page.getByRole('button', { name: /Show/ }).first().click()
  const again = page.getByRole('link', { name: 'Sign in again with Example' })
  await again.click()
  await page.locator('[name=login]').fill('ann')
  await page.locator('[name=password]').fill('any')
  await page.keyboard.press('Enter')
  await page.waitForURL(keys)
  await page.getByRole('button', { name: /Show/ }).first().click()
  await page
    .getByText(api.channel.keys.admin)
    .or(page.locator(`input[value="${api.channel.keys.admin}"]`))
    .first()
    .waitFor()
  await page.goto(`${api.url}/dashboard/account`)
  await page.getByText('You sign in with Example').waitFor()
  assert.equal(await page.getByLabel('Current password').count(), 0)
  await page.close()
})

test('somebody without a role reads why, and there is no form for a password', async () => {
  const page = await signIn('eve')
  await page
    .getByRole('alert')
    .getByText(/no access to any channel here/)
    .waitFor()
  assert.equal(await page.getByLabel('Password').count(), 0)
  assert.deepEqual(await barriersOn(page), [])
  await page.close()
})
