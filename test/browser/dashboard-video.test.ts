import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeClip } from '../support/clip.js'
import { type Dashboard, problemsOf, startDashboard } from '../support/dashboard.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'

let dashboard: Dashboard
let worker: { stop(): Promise<void> }
/** A film that plays; the tests share it, and each looks at another side of it. */
let videoId: string
before(async () => {
  dashboard = await startDashboard()
  worker = openWorker(dashboard.api)
  const clip = await makeClip({ seconds: 6, size: '320x180', audio: 'none' })
  videoId = (await uploadClip(dashboard.api, clip, 'The Horse in Motion'))._id
  await untilPrepared(dashboard.api, videoId)
})
after(async () => {
  await worker.stop()
  await dashboard.stop()
})

const video = () => dashboard.api.as('admin').videos.get(videoId)

async function open(tab: string, options = {}): Promise<Page> {
  const page = await dashboard.open(`/videos/${videoId}?tab=${tab}`, options)
  await page.getByRole('heading', { level: 1, name: 'The Horse in Motion' }).waitFor()
  return page
}

async function close(page: Page): Promise<void> {
  assert.deepEqual(problemsOf(page), [])
  await page.context().close()
}

test('what was edited is in the history, and an older version is restored and that undone', async () => {
  const page = await open('details')
  const title = page.locator('input[name=title]')
  await page.getByLabel('Short description').fill('Four hooves in the air.')
  await page.keyboard.press('Control+s')
  await page.getByText('Saved').waitFor()
  await title.fill('The Horse in Motion, 1878')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'The Horse in Motion, 1878' }).waitFor()

  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByText('Version 3').waitFor()
  assert.match(page.url(), /tab=history/)
  assert.equal(await page.locator('ins', { hasText: 'Motion, 1878' }).count(), 1)
  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await page.getByRole('heading', { level: 1, name: 'The Horse in Motion', exact: true }).waitFor()
  assert.equal((await video()).short_description, null)
  await page.getByText('Version 4').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('As it was before').waitFor()
  assert.equal((await video()).short_description, 'Four hooves in the air.')
  await page.getByRole('button', { name: 'Restore version 2' }).click()
  await page.getByRole('heading', { level: 1, name: 'The Horse in Motion', exact: true }).waitFor()
  await close(page)
})
