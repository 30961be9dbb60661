import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { barriersOn, goTo, overflowOf, signIn } from '../support/dashboard.js'
import { leave, looks, withDashboard } from '../support/dashboard-tests.js'
import { untilEqual } from '../support/patience.js'
import { addPublisher } from '../support/publishers.js'

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
    const { _id: videoId } = await admin.videos.create({ title, active: false })
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

    // What is typed before the field is there counts too.
    await page.keyboard.press('Control+K')
    await page.keyboard.type('publish')
    await choice(/^Publish “Kites/).waitFor()
    assert.equal(await field.inputValue(), 'publish')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Published “Kites' }).waitFor()
    await page.keyboard.press('Control+K')
    await field.fill('undo')
    await choice(/^Undo: Published “Kites/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Undone').waitFor()
    assert.equal((await admin.videos.get(videoId)).active, false)

    await page.keyboard.press('Control+K')
    await field.fill('kite')
    await page.getByRole('option', { name: 'Ada Kiteflyer' }).first().waitFor()
    await page.keyboard.press('ArrowUp')
    await choice(/Ada Kiteflyer/).waitFor()
    const active = await choice(/Ada Kiteflyer/).getAttribute('id')
    await untilEqual(() => field.getAttribute('aria-activedescendant'), active)
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

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

/** Chooses the channel "Other" in the menu at the top. */
async function switchToOther(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Channel: One. Switch channel' }).click()
  await page.getByRole('menuitem', { name: /^Other/ }).click()
  await page.getByRole('button', { name: 'Channel: Other. Switch channel' }).waitFor()
}

test('addresses name their channel, and Back and Forward return to it', async () => {
  const { api } = dashboard
  const [one, other] = [api.channel.channel._id, api.other.channel._id]
  const at = (channel: string, path: string) => `${api.url}/dashboard/c/${channel}${path}`
  const { _id } = await api.as('admin').videos.create({ title: 'Of channel One' })
  // An address without a channel leads to the same page of the current channel.
  const page = await dashboard.open('/videos?q=channel#top', { also: [api.other] })
  await page.waitForURL(at(one, '/videos?q=channel#top'))
  await page.getByRole('link', { name: 'Of channel One' }).click()
  await page.waitForURL(at(one, `/videos/${_id}`))
  await switchToOther(page)
  await page.waitForURL(at(other, '/'))
  await page.getByRole('navigation').getByRole('link', { name: 'Videos', exact: true }).click()
  await page.getByRole('heading', { name: 'No videos yet' }).waitFor()
  await page.waitForURL(at(other, '/videos'))
  await page.goBack()
  await page.goBack()
  await heading(page, 'Of channel One')
  await page.getByRole('button', { name: 'Channel: One. Switch channel' }).waitFor()
  assert.equal(page.url(), at(one, `/videos/${_id}`))
  await page.goForward()
  await page.goForward()
  await page.getByRole('heading', { name: 'No videos yet' }).waitFor()
  assert.equal(page.url(), at(other, '/videos'))
  await goTo(page, '/playlists')
  await page.waitForURL(at(other, '/playlists'))
  // The address of another channel of the user switches to it, also after the last choice was another one.
  await page.goto(at(one, `/videos/${_id}`))
  await heading(page, 'Of channel One')
  await leave(page)
})

test('two tabs with two channels do not disturb each other', async () => {
  const { api } = dashboard
  const [one, other] = [api.channel.channel._id, api.other.channel._id]
  await api.as('admin').videos.create({ title: 'Only in One' })
  await api.other.as('admin').videos.create({ title: 'Only in Other' })
  const first = await dashboard.open(`/c/${one}/videos`, { also: [api.other] })
  const second = await first.context().newPage()
  await second.goto(`${api.url}/dashboard/c/${other}/videos`)
  const videoIn = (page: Page, title: string) => page.getByRole('link', { name: title })
  await videoIn(second, 'Only in Other').waitFor()
  await first.reload()
  await videoIn(first, 'Only in One').waitFor()
  assert.equal(await videoIn(first, 'Only in Other').count(), 0)
  await first.getByRole('navigation').getByRole('link', { name: 'Home' }).click()
  await first.waitForURL(`**/dashboard/c/${one}/`)
  await second.reload()
  await videoIn(second, 'Only in Other').waitFor()
  assert.equal(await videoIn(second, 'Only in One').count(), 0)
  await leave(first)
})

test('the address of a channel that the user is not a member of says so, and leads to their own', async () => {
  const { api } = dashboard
  const page = await dashboard.open(`/c/${api.other.channel._id}/videos`)
  await page.getByRole('heading', { name: 'You’re not a member of this channel' }).waitFor()
  assert.deepEqual(await barriersOn(page), [])
  await page.getByRole('link', { name: 'Go to your own channel' }).click()
  await page.waitForURL(`**/dashboard/c/${api.channel.channel._id}/`)
  await heading(page, 'Home')
  await leave(page)
})

test('signing in leads to the channel and page of the address; signing out forgets the channel', async () => {
  const { api, browser } = dashboard
  const { email } = await addPublisher(api, [api.channel, 'owner'], [api.other, 'owner'])
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  const address = `${api.url}/dashboard/c/${api.other.channel._id}/playlists`
  await page.goto(address)
  await signIn(page, email)
  await heading(page, 'Playlists')
  await page.getByRole('button', { name: 'Channel: Other. Switch channel' }).waitFor()
  assert.equal(page.url(), address)
  await page.getByRole('button', { name: /^Signed in as/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('E-mail address').waitFor()
  const { email: another } = await addPublisher(api, [api.channel, 'owner'])
  await signIn(page, another)
  await page.waitForURL(`**/dashboard/c/${api.channel.channel._id}/**`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await leave(page)
})
