import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { barriersOn, overflowOf, phone } from '../support/dashboard.js'
import { leave, withDashboard } from '../support/dashboard-tests.js'
import { untilEqual } from '../support/patience.js'

const dashboard = withDashboard()
const admin = () => dashboard.api.as('admin')

const newVideo = async (fields: object = {}) => {
  const { _id } = await admin().videos.create({ title: 'The Horse in Motion', ...fields })
  return _id
}

async function openVideo(id: string, tab = 'details', options = {}): Promise<Page> {
  const page = await dashboard.open(`/videos/${id}?tab=${tab}`, { hasPlayer: false, ...options })
  await page.getByRole('tab', { selected: true }).waitFor()
  return page
}

const titleOf = (page: Page) => page.locator('input[name=title]')
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).first().click()
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Somebody else changed this too' })

test('two tabs that change the same field both see it, and fields of one of them merge', async () => {
  const id = await newVideo()
  const [first, second] = [await openVideo(id), await openVideo(id)]
  await titleOf(first).fill('Sallie Gardner')
  await first.getByLabel('Short description').fill('Twelve photographs.')
  await titleOf(second).fill('The Horse Gallops')
  await second.getByLabel('Description', { exact: true }).fill('By Eadweard Muybridge.')
  await save(first)
  await first.getByText('Saved “Sallie Gardner”').waitFor()

  await save(second)
  const dialog = dialogOf(second)
  await dialog.waitFor()
  // The slug follows the title until viewers can see the video.
  assert.equal(await dialog.getByRole('radiogroup').count(), 2)
  await dialog.locator('ins', { hasText: 'Sallie Gardner' }).first().waitFor()
  await dialog.locator('ins', { hasText: 'Gallops' }).first().waitFor()
  assert.deepEqual(await barriersOn(second), [])
  assert.equal((await admin().videos.get(id)).title, 'Sallie Gardner')
  assert.equal(await dialog.getByRole('button', { name: 'Save' }).isDisabled(), true)
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  assert.equal(await titleOf(second).inputValue(), 'The Horse Gallops')

  await save(second)
  await dialog.getByRole('button', { name: 'Keep all yours' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await second.getByText('Saved “The Horse Gallops”').waitFor()
  const { title, short_description, description } = await admin().videos.get(id)
  assert.deepEqual(
    [title, short_description, description],
    ['The Horse Gallops', 'Twelve photographs.', 'By Eadweard Muybridge.'],
  )

  // The first tab still shows its own title. Coming back to it does not hide that the other one changed it.
  await titleOf(first).fill('Sallie Gardner at a Gallop')
  await save(first)
  await dialogOf(first).getByRole('button', { name: 'Take all theirs' }).click()
  await dialogOf(first).getByRole('button', { name: 'Save' }).click()
  await first.getByRole('heading', { level: 1, name: 'The Horse Gallops' }).waitFor()
  assert.equal(await titleOf(first).inputValue(), 'The Horse Gallops')
  await leave(first)
  await leave(second)
})

test('several fields are decided one by one on a phone, and a refetch does not hide a conflict', async () => {
  const { _id } = await admin().categories.create({ title: 'Era', values: ['1870s'] })
  const page = await dashboard.open(`/categories/${_id}`, { ...phone, colorScheme: 'dark' })
  await titleOf(page).fill('Epoch')
  const values = page.getByRole('combobox', { name: 'Values', exact: true })
  await values.fill('1880s')
  await values.press('Enter')
  await admin().categories.update(_id, { title: 'Period', values: ['1870s', '1890s'] })
  // The page reads the record again when it becomes visible, while the form has unsaved changes.
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await save(page)
  const dialog = dialogOf(page)
  await dialog.waitFor()
  assert.equal(await overflowOf(page), 0)
  assert.deepEqual(await barriersOn(page), [])
  const groups = dialog.getByRole('radiogroup')
  assert.equal(await groups.count(), 2)
  await dialog.getByRole('button', { name: 'Take all theirs' }).click()
  await groups.first().getByRole('radio', { name: 'Keep yours' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Saved “Epoch”/).waitFor()
  const now = await admin().categories.get(_id)
  assert.deepEqual([now.title, now.values], ['Epoch', ['1870s', '1890s']])
  await leave(page)
})

test('chapters that somebody else added are not removed by an older page', async () => {
  const id = await newVideo()
  await admin().videos.update(id, { segments_attributes: [{ start: 0, description: 'Start' }] })
  const page = await openVideo(id, 'chapters')
  await page.getByRole('textbox', { name: 'Chapter title' }).fill('Beginning')
  await admin().segments.create(id, { start: 5000, description: 'Gallop' })
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await save(page)
  await dialogOf(page).getByRole('radio', { name: 'Keep yours' }).check()
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await page.getByText('Chapters saved').waitFor()
  const { segments } = await admin().videos.get(id)
  assert.deepEqual(
    segments.map(({ description }) => description),
    ['Beginning', 'Gallop'],
  )
  await leave(page)
})

test('subtitles that somebody else saved are shown before they are replaced', async () => {
  const id = await newVideo()
  const vtt = (words: string) =>
    Buffer.from(`WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${words}\n`).toString('base64')
  const made = await admin().subtitles.create(id, { language: 'en', file: vtt('A horse.') })
  const page = await dashboard.open(`/videos/${id}/subtitles/${made._id}`, { hasPlayer: false })
  const line = page.getByRole('textbox', { name: 'Text of line 1', exact: true })
  await line.fill('The horse.')
  await admin().subtitles.update(id, made._id, { file: vtt('A galloping horse.') })
  await save(page)
  await dialogOf(page).locator('ins', { hasText: 'galloping' }).waitFor()
  await dialogOf(page).getByRole('radio', { name: 'Take theirs' }).check()
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await untilEqual(() => line.inputValue(), 'A galloping horse.')
  await line.fill('A galloping mare.')
  await save(page)
  await page.getByText('Subtitles saved').waitFor()
  await line.fill('A grey mare.')
  await save(page)
  await untilEqual(
    () =>
      admin()
        .subtitles.download(id, made._id)
        .then((text) => /A grey mare/.test(text)),
    true,
  )
  await leave(page)
})

const waits = 'Your changes are still here. We will save them when the connection is back.'

test('changes made without a connection are saved when it is back, and only once', async () => {
  const id = await newVideo()
  const page = await openVideo(id)
  await page.context().setOffline(true)
  await titleOf(page).fill('Typed in a tunnel')
  await save(page)
  await page.getByText(waits).waitFor()
  await titleOf(page).fill('Typed in a long tunnel')
  await admin().videos.update(id, { short_description: 'By somebody else.' })
  await page.context().setOffline(false)
  await page.getByText('Saved “Typed in a long tunnel”').waitFor()
  await page.getByText(waits).waitFor({ state: 'detached' })
  const { title, short_description } = await admin().videos.get(id)
  assert.deepEqual([title, short_description], ['Typed in a long tunnel', 'By somebody else.'])
  await page.context().close()
})

test('a new record whose answers are lost is made once', async () => {
  const page = await dashboard.open('/playlists/new')
  await titleOf(page).fill('Made once')
  // The server does it, and the answer never arrives.
  await page.route('**/playlists', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText(waits).waitFor()
  await page.unroute('**/playlists')
  await page.getByRole('heading', { level: 1, name: 'Made once' }).waitFor()
  assert.equal((await admin().playlists.list({ q: 'once', active: 'all' })).response.length, 1)
  await page.context().close()
})
