import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeClip } from '../support/clip.js'
import { barriersOn, overflowOf } from '../support/dashboard.js'
import { leave, looks, withDashboard } from '../support/dashboard-tests.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { untilEqual } from '../support/patience.js'

/** A playable video that all tests share. */
let videoId: string
const dashboard = withDashboard(async ({ api }) => {
  const worker = openWorker(api)
  const clip = await makeClip({ seconds: 6, size: '320x180', audio: 'none' })
  videoId = (await uploadClip(api, clip, 'The Horse in Motion'))._id
  await untilPrepared(api, videoId)
  return worker.stop
})

const video = () => dashboard.api.as('admin').videos.get(videoId)

async function open(tab: string, options = {}): Promise<Page> {
  const page = await dashboard.open(`/videos/${videoId}?tab=${tab}`, { hasPlayer: false, ...options })
  await page.getByRole('heading', { level: 1, name: 'The Horse in Motion' }).waitFor()
  return page
}

test('what was edited is in the history, and an older version is restored and that undone', async () => {
  const page = await open('details')
  const title = page.locator('input[name=title]')
  await page.getByLabel('Short description').fill('Four hooves in the air.')
  await page.keyboard.press('Control+s')
  await page.getByText(/^Saved/).waitFor()
  await title.fill('The Horse in Motion, 1878')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'The Horse in Motion, 1878' }).waitFor()

  await page.getByRole('tab', { name: 'Activity' }).click()
  await page.getByText('renamed “The Horse in Motion” to video “The Horse in Motion, 1878”').waitFor()
  await page.waitForURL(/tab=activity/)
  await page.getByRole('button', { name: 'Versions' }).click()
  await page.getByText('Version 3').waitFor()
  assert.equal(await page.locator('ins', { hasText: 'Motion, 1878' }).count(), 1)
  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await page.getByRole('heading', { level: 1, name: 'The Horse in Motion', exact: true }).waitFor()
  assert.equal((await video()).short_description, null)
  await page.getByText('Version 4').waitFor()
  const restored = page.getByRole('alert').filter({ hasText: 'Restored version 1' })
  // The notice stays for seconds only, and a slow machine may take as long for the click.
  const undone = page.getByText('Undone').waitFor()
  await restored.getByRole('button', { name: 'Undo' }).click()
  await undone
  // A notice stays while the pointer is on it, and could cover the next button.
  await page.mouse.move(0, 0)
  assert.equal((await video()).short_description, 'Four hooves in the air.')
  await page.getByRole('button', { name: 'Restore version 2' }).click()
  await page.getByRole('heading', { level: 1, name: 'The Horse in Motion', exact: true }).waitFor()
  await leave(page)
})

test('chapters are added at the playhead, moved by keys, named, saved and removed', async () => {
  const page = await open('chapters', { hasPlayer: true })
  const add = page.getByRole('button', { name: /^Add at/ })
  await add.click()
  await page.keyboard.type('The start')
  await seek(page, 3)
  await page.getByRole('button', { name: 'Add at 0:03' }).click()
  await page.keyboard.type('All hooves up')
  const handle = page.getByRole('slider', { name: 'Start of All hooves up' })
  await handle.focus()
  await page.keyboard.press('ArrowRight')
  await untilEqual(() => handle.getAttribute('aria-valuetext'), '0:04')
  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByText('Stay', { exact: true }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Chapters saved').waitFor()
  const saved = () => video().then(({ segments }) => segments.map((one) => [one.start, one.description]))
  assert.deepEqual(await saved(), [
    [0, 'The start'],
    [4000, 'All hooves up'],
  ])
  const box = await page.getByRole('slider', { name: 'Start of All hooves up' }).boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x - 60, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  await page.getByRole('button', { name: 'Remove The start' }).click()
  await page.keyboard.press('Control+s')
  await page.getByText('Chapters saved').first().waitFor()
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
  const [[start, name] = []] = await saved()
  assert.ok(Number(start) < 4000 && Number(start) > 2000, `${start}`)
  assert.equal(name, 'All hooves up')
  await leave(page)
})

/** Seeks the player to a position. */
async function seek(page: Page, seconds: number): Promise<void> {
  const player = page.frameLocator('iframe').first().locator('zoetrope-player')
  await player.evaluate(async (element, at) => {
    const holder = element as unknown as { video?: HTMLVideoElement }
    const soon = () => new Promise((resolve) => setTimeout(resolve, 30))
    while (!holder.video || holder.video.readyState < 1) await soon()
    holder.video.currentTime = at
  }, seconds)
}

test('a video is sorted into categories and objects, guarded by a rule, and seen where it appears', async () => {
  const { categories, playlists, videos, video_content_rules, zobject_types, zobjects } =
    dashboard.api.as('admin')
  const page = await open('details')
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('link', { name: 'Create a type' }).waitFor()
  assert.deepEqual(await barriersOn(page), [])
  await zobject_types.create({ title: 'horses', videos_enabled: true })
  const horse = await zobjects.create({ zobject_type: 'horses', title: 'Sallie Gardner' })
  const { _id } = await categories.create({ title: 'Mood', values: ['calm', 'wild'] })
  const list = await playlists.create({ title: 'Motion studies' })
  await playlists.addVideos(list._id, { video_id: [videoId] })
  const trailed = await videos.create({ title: 'The long film', preview_ids: [videoId] })

  await page.reload()
  await page.getByRole('combobox', { name: 'Mood' }).click()
  await page.getByRole('option', { name: 'wild' }).click()
  await page.getByRole('combobox', { name: 'Custom objects' }).fill('sallie')
  await page.getByRole('option', { name: 'Sallie Gardner' }).click()
  await page.keyboard.press('Control+s')
  await page.getByText(/^Saved/).waitFor()
  assert.deepEqual(
    (await video()).categories.map(({ category_id, value }) => [category_id, value]),
    [[_id, ['wild']]],
  )
  assert.deepEqual((await video()).zobject_ids, [horse._id])

  await page.getByRole('tab', { name: 'Access' }).click()
  await page.getByRole('link', { name: 'All audience rules' }).waitFor()
  const focused = page.locator(':focus')
  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByRole('dialog').getByLabel('Name').and(focused).press('Enter')
  const question = page.getByRole('dialog', { name: 'Block everyone?' })
  await question.getByRole('button', { name: 'Cancel' }).and(focused).press('Enter')
  await question.waitFor({ state: 'detached' })
  await page.getByRole('combobox', { name: 'Countries' }).fill('DE')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('in Germany').waitFor()
  const [rule] = (await video_content_rules.list(videoId)).response
  assert.deepEqual([rule?.policy, rule?.geographies[0]?.countries], ['deny', ['DE']])
  await page.getByRole('button', { name: 'Delete the rule in Germany' }).click()
  await page.getByText('No rules, so it can be watched everywhere.').waitFor()
  await page.getByRole('button', { name: 'Add a rule' }).and(focused).waitFor()

  await page.getByRole('tab', { name: 'Appears in' }).click()
  await page.getByRole('link', { name: 'Motion studies' }).waitFor()
  await page.getByRole('link', { name: 'The long film' }).waitFor()
  await videos.remove(trailed._id)
  await leave(page)
})

test('a frame of the film becomes the poster, and the code to embed it follows what is chosen', async () => {
  const page = await open('poster', { hasPlayer: true })
  const poster = page.getByRole('tabpanel').locator('img').first()
  const before = await poster.getAttribute('src')
  await page
    .getByRole('button', { name: /^Use the frame at 0:0[2-4]/ })
    .first()
    .click()
  await page.waitForFunction(
    (old) => document.querySelector('[role=tabpanel] img')?.getAttribute('src') !== old,
    before,
  )

  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.locator('label', { hasText: /^Muted$/ }).click()
  await page.getByRole('region', { name: 'Iframe' }).getByText('muted=true').waitFor()
  assert.match(
    (await page.getByTitle('Preview of the embedded player').getAttribute('src')) ?? '',
    /muted=true/,
  )
  const link = page.getByRole('region', { name: 'Link', exact: true })
  const [text, copy] = [
    await link.boundingBox(),
    await page.getByRole('button', { name: 'Copy: Link' }).boundingBox(),
  ]
  assert.ok(text && copy && copy.x >= text.x + text.width, 'the button is beside the link')
  await link.getByText(new RegExp(`/watch/[a-z0-9-]*${videoId}`)).waitFor()
  await page.getByRole('textbox', { name: 'Start the link at' }).fill('1:02')
  await link.getByText(/t=1m2s$/).waitFor()
  await page.getByRole('img', { name: /^QR code of http.*t=1m2s$/ }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Save QR code' }).getAttribute('download'), 'qr-code.svg')
  await page.getByRole('tab', { name: 'API' }).click()
  await page.getByRole('region', { name: 'Get this video with curl' }).getByText(videoId).waitFor()
  await leave(page)
})

test('unpublishing is undone from the notice about it', async () => {
  const page = await open('details')
  await page.getByRole('button', { name: 'Unpublish', exact: true }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Unpublished “The Horse in Motion”' })
  await notice.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Unpublish', exact: true }).waitFor()
  assert.equal((await video()).active, true)
  await leave(page)
})

test('a video deleted on its page comes back by undo, and those who only look change nothing', async () => {
  const page = await open('details')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('heading', { level: 1, name: 'Videos' }).waitFor()
  assert.equal((await video().catch(({ status }) => ({ status }))).status, 404)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'The Horse in Motion' }).first().waitFor()
  assert.equal((await video()).deleted_at, null)
  await leave(page)

  const looking = await open('chapters', { role: 'viewer' })
  await looking.getByRole('slider').first().waitFor()
  for (const name of ['Chapters', 'Access', 'Activity']) {
    await looking.getByRole('tab', { name }).click()
    await looking.waitForFunction(() => !document.querySelector('[role=tabpanel] [role=status][aria-label]'))
    const words = /^(Save|Create|Add|Restore|Upload|Delete|Remove|Use)/
    const buttons = looking.getByRole('tabpanel').getByRole('button', { name: words })
    assert.equal(await buttons.and(looking.locator(':enabled')).count(), 0, name)
  }
  await leave(looking)
})

test('the trash shows how long videos are kept, restores them, and deletes them for good', async () => {
  const { videos } = dashboard.api.as('admin')
  // Other tests of this file have deleted videos too.
  for await (const { _id } of videos.all({ deleted: true, active: 'all' })) await videos.purge(_id)
  const made = await Promise.all(
    ['Old reel', 'Older reel', 'Oldest reel'].map((title) => videos.create({ title })),
  )
  for (const { _id } of made) await videos.remove(_id)
  const last = made[2]?._id ?? ''
  await dashboard.api.database
    .db`update videos set deleted_at = now() - interval '29 days 12 hours' where _id = ${last}`
  // Views that were saved before there was a trash ask for deleted videos here.
  const page = await dashboard.open('/videos?status=deleted')
  await page.getByRole('heading', { name: 'Trash', level: 1 }).waitFor()
  await page.clock.install()
  await page.reload()
  await page.getByRole('row', { name: /Older reel.*30 days/ }).waitFor()
  await page.getByRole('row', { name: /Oldest reel.*Less than a day/ }).waitFor()
  assert.deepEqual(await barriersOn(page), [])

  await page.getByRole('button', { name: 'Actions for Older reel' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Delete for good…' }).press('Enter')
  const asked = page.getByRole('dialog', { name: 'Delete “Older reel” for good?' })
  await asked.getByRole('button', { name: 'Delete for good' }).press('Enter')
  await page.getByText('Deleted 1 video for good').waitFor()
  await page.getByRole('link', { name: 'Older reel' }).waitFor({ state: 'detached' })

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByText('Restored 2 videos').waitFor()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  await page.clock.fastForward('10:00')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'Old reel' }).click()
  await page.getByRole('heading', { name: 'This video is in the trash' }).waitFor()
  assert.deepEqual(await barriersOn(page), [])
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('tab', { name: 'Details' }).waitFor()

  await page.getByRole('navigation').getByRole('link', { name: 'Trash' }).click()
  await page.getByRole('button', { name: 'Empty the trash…' }).click()
  await page.getByRole('dialog', { name: 'Delete 1 video for good?' }).getByText('Delete for good').click()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  assert.deepEqual((await videos.list({ deleted: true, active: 'all' })).response, [])
  await videos.remove(made[0]?._id ?? '')
  await leave(page)

  const looking = await dashboard.open('/trash', { role: 'viewer' })
  await looking.getByRole('link', { name: 'Old reel' }).waitFor()
  const offered = looking.locator('main').getByRole('button').or(looking.getByRole('checkbox'))
  assert.deepEqual(await offered.filter({ hasNotText: /Video|Clear/ }).allTextContents(), [])
  await looking.context().close()
})

for (const [where, options] of Object.entries(looks))
  test(`on ${where} every tab of a video can be used by everybody`, async () => {
    const page = await open('details', { ...options, hasPlayer: true })
    for (const [index, tab] of (await page.getByRole('tab').all()).entries()) {
      await tab.click()
      await page.waitForFunction(() => !document.querySelector('[role=tabpanel] [role=status][aria-label]'))
      const name = (await tab.textContent()) ?? ''
      // What is around the tabs is the same on all of them.
      const parts = index === 0 ? undefined : ['[role=tablist]', '[role=tabpanel]']
      assert.deepEqual(await barriersOn(page, parts), [], name)
      assert.equal(await overflowOf(page), 0, name)
    }
    await leave(page)
  })
