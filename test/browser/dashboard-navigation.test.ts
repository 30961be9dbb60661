import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barriersOn, goTo, overflowOf } from '../support/dashboard.js'
import { leave, looks, withDashboard } from '../support/dashboard-tests.js'

const dashboard = withDashboard()

test('groups of the navigation fold for good, and all of them are in sight on a laptop', async () => {
  const page = await dashboard.open('/', { viewport: { width: 1440, height: 900 } })
  const navigation = page.getByRole('navigation')
  const group = (name: string) => navigation.getByRole('button', { name })
  await group('Settings').press('Enter')
  const isLong =
    "document.querySelector('nav > div').scrollHeight > document.querySelector('nav > div').clientHeight"
  assert.equal(await page.evaluate(isLong), false)
  await navigation.getByRole('link', { name: 'Team' }).click()
  await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor()
  await group('Library').click()
  await navigation.getByRole('link', { name: 'Playlists' }).waitFor({ state: 'hidden' })
  await page.reload()
  await navigation.getByRole('link', { name: 'Team' }).waitFor()
  assert.equal(await group('Library').getAttribute('aria-expanded'), 'false')
  // The group of the page that is open is open.
  await goTo(page, '/playlists')
  await navigation.getByRole('link', { name: 'Playlists', exact: true }).waitFor()
  await leave(page)
})

for (const [where, options] of Object.entries(looks))
  test(`on ${where} a page, a video, a consumer or an action is found by its name`, async () => {
    const admin = dashboard.api.as('admin')
    const title = `Kites on ${where}`
    const { _id: videoId } = await admin.videos.create({ title })
    const email = `${where.replaceAll(' ', '-')}@example.org`
    const { _id: consumerId } = await admin.consumers.create({ email, name: 'Ada Kiteflyer' })
    const page = await dashboard.open('/', options)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Find anything' }).filter({ visible: true }).press('Enter')
    const field = page.getByRole('dialog', { name: 'Go to…' }).getByRole('combobox')
    const choice = (name: RegExp) => page.getByRole('option', { name, selected: true })
    await choice(/^Home/).waitFor()
    assert.deepEqual(await barriersOn(page), [])
    assert.equal(await overflowOf(page), 0)
    await field.fill('developers key')
    await choice(/^API keys/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()

    await page.keyboard.press('Control+K')
    await field.fill(title)
    await choice(/Draft/).waitFor()
    assert.deepEqual(await barriersOn(page), [])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    assert.ok(page.url().endsWith(`/videos/${videoId}`))

    await page.keyboard.press('Control+K')
    await field.fill('kite')
    await page.getByRole('option', { name: 'Ada Kiteflyer' }).first().waitFor()
    await page.keyboard.press('ArrowUp')
    await choice(/Ada Kiteflyer/).waitFor()
    assert.equal(
      await field.getAttribute('aria-activedescendant'),
      await choice(/Ada Kiteflyer/).getAttribute('id'),
    )
    await field.fill(email)
    await choice(/Ada Kiteflyer/).click()
    await page.getByRole('heading', { name: 'Ada Kiteflyer', level: 1 }).waitFor()
    assert.ok(page.url().endsWith(`/consumers/${consumerId}`))

    await page.keyboard.press('Control+K')
    await field.fill('new play')
    await choice(/^New playlist/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'New playlist', level: 1 }).waitFor()
    await page.keyboard.press('Control+K')
    await field.fill('nothing of the kind')
    await page.getByText('Nothing found for “nothing of the kind”').waitFor()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await admin.videos.remove(videoId)
    await leave(page)
  })
