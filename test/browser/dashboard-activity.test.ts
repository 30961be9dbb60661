import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { barriersOn, goTo, overflowOf, settled } from '../support/dashboard.js'
import { leave, looks, withDashboard } from '../support/dashboard-tests.js'

const dashboard = withDashboard()
const admin = () => dashboard.api.as('admin')

/** The row of an event, by the words of its sentence. */
const rowOf = (page: Page, words: string | RegExp) => page.getByRole('listitem').filter({ hasText: words })
const detailsOf = (page: Page, words: string | RegExp) =>
  rowOf(page, words).getByRole('button', { name: /^Details:/ })

async function openActivity(options = {}): Promise<Page> {
  const page = await dashboard.open('/activity', options)
  await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor()
  await settled(page)
  return page
}

for (const [where, options] of Object.entries(looks))
  test(`on ${where} activity says who did what in words, and opens to show what changed`, async () => {
    const { _id } = await admin().videos.create({ title: `Horses of ${where}` })
    await admin().videos.update(_id, { description: 'Four hooves.' })
    await admin().videos.update(_id, { title: `Ponies of ${where}` })
    await admin().videos.update(_id, { active: false })
    const page = await openActivity(options)
    const today = page.getByRole('region', { name: 'Today' })
    await today.getByText(`The admin key unpublished video “Ponies of ${where}”`).waitFor()
    await today.getByText(`renamed “Horses of ${where}” to video “Ponies of ${where}”`).waitFor()
    await today.getByText(`changed “Description” of video “Horses of ${where}”`).waitFor()
    await page
      .getByText(/^\S+ signed in$/)
      .first()
      .waitFor()

    // By keyboard: the button of a row opens it, and its link leads to the record.
    await detailsOf(page, `renamed “Horses of ${where}”`).focus()
    await page.keyboard.press('Enter')
    const row = rowOf(page, `renamed “Horses of ${where}”`)
    assert.equal(await row.locator('del').first().textContent(), 'Horses')
    assert.equal(await row.locator('ins').first().textContent(), 'Ponies')
    await row.getByText('Title', { exact: true }).waitFor()
    assert.deepEqual(await barriersOn(page), [])
    assert.equal(await overflowOf(page), 0)
    await row.getByRole('link', { name: `video “Ponies of ${where}”` }).press('Enter')
    await page.getByRole('heading', { level: 1, name: `Ponies of ${where}` }).waitFor()
    await leave(page)
  })

test('filters narrow the list, and are in the address', async () => {
  const playlist = await admin().playlists.create({ title: 'Filtered playlist' })
  await admin().categories.create({ title: 'Filtered category' })
  await admin().playlists.remove(playlist._id)
  const page = await openActivity()
  await rowOf(page, 'created category “Filtered category”').waitFor()
  await page.getByLabel('About').selectOption({ label: 'Playlists' })
  await rowOf(page, 'created category “Filtered category”').waitFor({ state: 'detached' })
  await rowOf(page, 'created playlist “Filtered playlist”').waitFor()
  await page.getByLabel('Action').selectOption({ label: 'Deleted' })
  await rowOf(page, 'created playlist “Filtered playlist”').waitFor({ state: 'detached' })
  // There is no page to link to.
  await rowOf(page, 'deleted playlist “Filtered playlist”').getByText('deleted', { exact: true }).waitFor()
  assert.equal(await rowOf(page, 'deleted playlist “Filtered playlist”').getByRole('link').count(), 0)
  await page.reload()
  await rowOf(page, 'deleted playlist “Filtered playlist”').waitFor()
  await page.getByLabel('When').selectOption({ label: 'Last 7 days' })
  await page.waitForURL(/days=/)
  await rowOf(page, 'deleted playlist “Filtered playlist”').waitFor()
  await page.getByLabel('About').selectOption({ label: 'Objects' })
  await page.getByText('No activity matches these filters').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await rowOf(page, 'created category “Filtered category”').waitFor()
  await page.getByLabel('By', { exact: true }).selectOption({ label: 'The admin key' })
  await page
    .getByText(/^\S+ signed in$/)
    .first()
    .waitFor({ state: 'detached' })
  await leave(page)
})

test('new events wait behind a button, and older ones are a page away', async () => {
  const page = await openActivity()
  await page.getByRole('listitem').first().waitFor()
  const { _id } = await admin().categories.create({ title: 'Just now' })
  await page.getByRole('button', { name: 'Show 1 new event' }).waitFor()
  assert.equal(await rowOf(page, 'created category “Just now”').count(), 0)
  await admin().categories.update(_id, { title: 'Even newer' })
  await page.getByRole('button', { name: 'Show 2 new events' }).click()
  await rowOf(page, 'created category “Just now”').waitFor()
  const first = await page.getByRole('listitem').first().textContent()
  assert.match(first ?? '', /renamed “Just now” to category “Even newer”/)
  await page.getByRole('button', { name: /new event/ }).waitFor({ state: 'detached' })

  for (let count = 0; count < 55; count += 1) await admin().categories.create({ title: `Many ${count}` })
  await page.reload()
  await rowOf(page, '“Many 54”').waitFor()
  assert.equal(await rowOf(page, '“Many 0”').count(), 0)
  await page.getByRole('button', { name: 'Show older' }).click()
  await rowOf(page, '“Many 0”').waitFor()
  await leave(page)
})

test('an edit is undone after a preview, and a reason is given where that is impossible', async () => {
  const { _id } = await admin().ad_tags.create({ name: 'Monthly', tag: 'https://ads.example/tag' })
  await admin().ad_tags.update(_id, { name: 'Yearly' })
  const page = await openActivity()
  await detailsOf(page, 'renamed “Monthly”').click()
  await rowOf(page, 'renamed “Monthly”').getByRole('button', { name: 'Undo…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo this change?' })
  await dialog.getByText('These values come back:').waitFor()
  assert.equal(await dialog.locator('ins').textContent(), 'Monthly')
  assert.deepEqual(await barriersOn(page), [])
  assert.equal((await admin().ad_tags.get(_id)).name, 'Yearly')
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await rowOf(page, 'renamed “Monthly”').getByText('Undone', { exact: true }).waitFor()
  assert.equal((await admin().ad_tags.get(_id)).name, 'Monthly')
  await rowOf(page, 'renamed “Yearly” to ad tag “Monthly”').getByText('Undid a change').waitFor()

  await admin().ad_tags.update(_id, { name: 'Weekly' })
  await detailsOf(page, 'renamed “Yearly”').click()
  await rowOf(page, 'renamed “Yearly”').getByRole('button', { name: 'Undo…' }).click()
  await dialog.getByText('These fields were changed since: Name.').waitFor()
  assert.equal(await dialog.getByRole('button', { name: 'Undo', exact: true }).count(), 0)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await leave(page)
})

test('the page of a record shows its events, and a deletion is undone from the list of all', async () => {
  const { _id } = await admin().categories.create({ title: 'Eras', values: ['Silent'] })
  await admin().categories.update(_id, { values: ['Silent', 'Sound'] })
  await admin().playlists.create({ title: 'Another record' })
  const page = await dashboard.open(`/categories/${_id}`)
  const section = page.getByRole('region', { name: 'Activity' })
  await section.getByText('changed “Values” of category “Eras”').waitFor()
  assert.equal(await section.getByRole('listitem').count(), 2)
  assert.deepEqual(await barriersOn(page), [])
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Epochs')
  await page.keyboard.press('Control+s')
  await section.getByText('renamed “Eras” to category “Epochs”').waitFor()

  // What was saved or deleted on the page is undone by the message about it.
  const undoOf = (words: string) =>
    page.getByRole('alert').filter({ hasText: words }).getByRole('button', { name: 'Undo' })
  await undoOf('Saved').click()
  await page.getByRole('heading', { level: 1, name: 'Eras' }).waitFor()
  await section.getByText('renamed “Epochs” to category “Eras”').waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { level: 1, name: 'Categories' }).waitFor()
  await undoOf('Deleted “Eras”').click()
  await page.getByRole('link', { name: 'Eras' }).waitFor()

  await admin().categories.remove(_id)
  await goTo(page, '/activity')
  await detailsOf(page, 'deleted category “Eras”').first().click()
  await rowOf(page, 'deleted category “Eras”').first().getByRole('button', { name: 'Undo…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo this change?' })
  await dialog.getByText('Category “Eras” comes back').waitFor()
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await rowOf(page, 'restored category “Eras”').first().getByRole('link').waitFor()
  assert.deepEqual((await admin().categories.get(_id)).values, ['Silent', 'Sound'])
  await leave(page)
})

test('the notice about a save names the record, is reached by F8, and ends with the page', async () => {
  const { _id } = await admin().categories.create({ title: 'Moods', values: ['Calm'] })
  const page = await dashboard.open(`/categories/${_id}`)
  const title = page.getByRole('textbox', { name: 'Title', exact: true })
  const notice = page.getByRole('alert').filter({ hasText: 'Saved' })
  await title.fill('Feelings')
  await page.keyboard.press('Control+s')
  await notice.getByText('Saved “Feelings”').waitFor()
  const [heading, box] = [
    await page.getByRole('heading', { level: 1 }).boundingBox(),
    await notice.boundingBox(),
  ]
  assert.ok(heading && box && box.y > heading.y + heading.height, 'it covers no heading')
  // The next save takes its place.
  await title.fill('Tempers')
  await page.keyboard.press('Control+s')
  await notice.getByText('Saved “Tempers”').waitFor()
  assert.equal(await notice.count(), 1)
  await page.keyboard.press('F8')
  await page.waitForFunction(() => document.activeElement?.textContent === 'Undo')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Feelings' }).waitFor()
  await title.fill('Humours')
  await page.keyboard.press('Control+s')
  await notice.getByText('Saved “Humours”').waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Activity' }).click()
  await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
  await notice.waitFor({ state: 'detached' })
  await leave(page)
})

test('a changed line of subtitles is one change in words, and the entries are three keys from the skip link', async () => {
  const { _id } = await admin().videos.create({ title: 'Told in lines' })
  const lines = (text: string) =>
    Buffer.from(`WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`).toString('base64')
  const made = await admin().subtitles.create(_id, { language: 'en', file: lines('Off they go.') })
  await admin().subtitles.update(_id, made._id, { file: lines('Off they went.') })
  const page = await openActivity()
  await rowOf(page, 'changed the lines of subtitles “English”').waitFor()
  await detailsOf(page, 'changed the lines of subtitles “English”').click()
  await rowOf(page, 'changed the lines of subtitles “English”')
    .getByText('The lines are different.')
    .waitFor()
  assert.equal(await page.getByText(/fingerprint/i).count(), 0)
  await page.getByRole('button', { name: 'Skip to content' }).focus()
  for (const key of ['Enter', 'Tab', 'Enter', 'Tab']) await page.keyboard.press(key)
  assert.ok(await page.evaluate(() => document.activeElement?.closest('#activity li') !== null))
  await leave(page)
})

test('guests have no activity, and editors none of keys and the team', async () => {
  await admin().apps.create({ title: 'A secret app' })
  await admin().categories.create({ title: 'For everybody' })
  const guest = await dashboard.open('/activity', { role: 'viewer' })
  await guest.getByText('Your role (Guest) does not allow this').waitFor()
  assert.equal(await guest.getByRole('navigation').getByRole('link', { name: 'Activity' }).count(), 0)
  await leave(guest)
  const editor = await openActivity({ role: 'editor' })
  await rowOf(editor, '“For everybody”').waitFor()
  assert.equal(await rowOf(editor, 'A secret app').count(), 0)
  await leave(editor)
})
