import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeClip } from '../support/clip.js'
import { barriersOn, overflowOf } from '../support/dashboard.js'
import { leave, looks, withDashboard } from '../support/dashboard-tests.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { until } from '../support/patience.js'

let videoId: string
const dashboard = withDashboard(async ({ api }) => {
  const worker = openWorker(api)
  const voices = [
    { hertz: 400, language: 'eng', disposition: 'default' },
    { hertz: 800, language: 'eng', disposition: 'visual_impaired' },
  ]
  const clip = await makeClip({ seconds: 4, size: '160x90', rate: '10', container: 'mkv', voices })
  videoId = (await uploadClip(api, clip, 'The Horse in Motion'))._id
  await untilPrepared(api, videoId)
  return worker.stop
})

const open = (options = {}) => dashboard.open(`/videos/${videoId}?tab=audio`, options)

test('an audio track is uploaded, made the default, hidden and deleted', async () => {
  const page = await open()
  await page.getByRole('region', { name: 'English' }).first().waitFor()
  await page.getByRole('button', { name: 'Add audio track' }).click()
  const dialog = page.getByRole('dialog')
  const path = await makeClip({ seconds: 4, codec: 'none', container: 'm4a', voices: [{ hertz: 1200 }] })
  await dialog.getByRole('button', { name: 'Upload' }).click()
  await dialog.getByText('Choose a file first.').waitFor()
  await page.locator('input[type=file]').setInputFiles(path)
  await dialog.getByRole('combobox', { name: 'Language' }).fill('franç')
  await page
    .getByRole('option', { name: /^French · français/ })
    .first()
    .click()
  await dialog.getByLabel('Type').selectOption('Commentary')
  await dialog.getByRole('button', { name: 'Upload' }).click()
  await page.getByText('Audio track added').waitFor()

  const french = page.getByRole('region', { name: 'French' })
  await french.getByText(/Uploaded · 0:04/).waitFor()
  await french.getByText('Commentary').waitFor()
  const act = async (name: string) => {
    await french.getByRole('button', { name: 'Actions for French' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await act('Make default')
  await french.getByText('Default', { exact: true }).waitFor()
  await act('Hide from viewers')
  await french.getByText('Hidden').waitFor()
  const tracks = async () =>
    (await dashboard.api.as('admin').audio_tracks.list(videoId, { active: 'all' })).response
  assert.deepEqual(
    (await tracks()).filter((track) => track.default).map(({ origin }) => origin),
    ['film'],
    'a hidden track is not the default',
  )
  await act('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await french.waitFor({ state: 'detached' })
  await until('the deletion', async () => (await tracks()).length === 2)
  await leave(page)
})

for (const [look, options] of Object.entries(looks))
  test(`the audio tracks of a video can be used on ${look}`, async () => {
    const page = await open(options)
    await page.getByText('In the video file').first().waitFor()
    assert.deepEqual(await barriersOn(page), [])
    assert.equal(await overflowOf(page), 0)
    await leave(page)
  })
