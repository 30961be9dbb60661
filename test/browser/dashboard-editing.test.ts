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

test('a published video with a later date says that it goes offline, before it is saved', async () => {
  const id = await newVideo({ active: true })
  const page = await openVideo(id, 'schedule', { timezoneId: 'Europe/Berlin' })
  await page.getByText('Time zone: Europe/Berlin.').first().waitFor()
  await page.getByLabel('Publish at', { exact: true }).fill('2099-11-20T14:00')
  const outlook = page.getByRole('status').filter({ hasText: 'After you save: Not published' })
  await outlook.getByText('Viewers can no longer watch it as soon as you save.').waitFor()
  await outlook.getByText(/Will be published on .*2099.*\(Europe\/Berlin\)/).waitFor()
  await save(page)
  await page
    .getByRole('status')
    .filter({ hasText: /^Not published/ })
    .waitFor()
  const { active, enable_at } = await admin().videos.get(id)
  assert.deepEqual([active, enable_at], [false, '2099-11-20T13:00:00.000Z'])
  await leave(page)
})

test('countries are chosen by name or code, by keyboard, and stored as codes', async () => {
  const id = await newVideo()
  const page = await openVideo(id, 'access')
  await page.getByRole('button', { name: 'Add a rule' }).click()
  const dialog = page.getByRole('dialog')
  const countries = dialog.getByRole('combobox', { name: 'Countries' })
  for (const typed of ['Germany', 'AT']) {
    await countries.fill(typed)
    await page.keyboard.press('Enter')
  }
  await page.keyboard.press('Tab')
  assert.deepEqual(await barriersOn(page), [])
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Germany, Austria').waitFor()
  const { response } = await admin().video_content_rules.list(id)
  const geographies = response[0]?.geographies ?? []
  assert.deepEqual(
    geographies.map(({ countries }) => countries),
    [['DE', 'AT']],
  )
  await leave(page)
})

test('files dropped anywhere are uploaded, and without the right to upload nothing happens', async () => {
  const drop = `(() => {
    const files = new DataTransfer()
    files.items.add(new File(['x'], 'dropped.mp4', { type: 'video/mp4' }))
    const event = (name) => new DragEvent(name, { dataTransfer: files, bubbles: true, cancelable: true })
    document.body.dispatchEvent(event('dragover'))
    return !document.body.dispatchEvent(event('drop'))
  })()`
  const page = await dashboard.open('/playlists')
  await page.getByRole('heading', { name: 'Playlists', level: 1 }).waitFor()
  await untilEqual(() => page.evaluate(drop), true)
  await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  await page.getByText('dropped.mp4').first().waitFor()
  await page.context().close()
  const guest = await dashboard.open('/playlists', { role: 'viewer' })
  await guest.getByRole('heading', { name: 'Playlists', level: 1 }).waitFor()
  await untilEqual(() => guest.evaluate(drop), true)
  await guest.getByRole('heading', { name: 'Playlists', level: 1 }).waitFor()
  await guest.context().close()
})

test('a failed video offers another upload instead of publishing and sharing', async () => {
  const id = await newVideo({ active: true })
  await dashboard.api.database.db`
    update videos set status = 'failed', status_reason = 'This is not a film.' where _id = ${id}
  `
  const page = await openVideo(id)
  await page.getByRole('button', { name: 'Upload again' }).waitFor()
  await page.getByRole('alert').getByText('This is not a film.').waitFor()
  for (const name of ['Publish', 'Unpublish', 'Share'])
    assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
  await page.getByLabel('Publish when it can be played').waitFor()
  await page.getByRole('tab', { name: 'Share and embed' }).click()
  await page.getByText('There is nothing to share, because the file could not be processed.').waitFor()
  await leave(page)
})

test('a title of 190 characters leaves badges and columns as they are, in the table and in the grid', async () => {
  await newVideo({ title: 'Horse'.repeat(38) })
  for (const layout of ['table', 'grid']) {
    const page = await dashboard.open(`/videos?layout=${layout}`)
    const entry = page.locator('[data-entry]', { hasText: 'HorseHorse' })
    const badge = entry.getByText('Draft, no file yet').first()
    await badge.waitFor()
    const isCut = await badge.evaluate((element) => element.scrollWidth > element.clientWidth)
    assert.equal(isCut, false, layout)
    assert.equal(await overflowOf(page), 0, layout)
    await leave(page)
  }
})

test('a new playlist has no position unless one is chosen, and is then the last one', async () => {
  await admin().playlists.create({ title: 'First', priority: 5 })
  const page = await dashboard.open('/playlists/new')
  await titleOf(page).fill('Second')
  assert.equal(await page.locator('input[name=priority]').inputValue(), '')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor()
  const { response } = await admin().playlists.list({ q: 'Second', active: 'all' })
  assert.ok(Number(response[0]?.priority) > 5)
  await leave(page)
})
