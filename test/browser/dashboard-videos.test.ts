import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  barriersOn,
  type Dashboard,
  overflowOf,
  phone,
  problemsOf,
  startDashboard,
} from '../support/dashboard.js'

let dashboard: Dashboard
before(async () => {
  dashboard = await startDashboard()
  const { videos } = dashboard.api.as('admin')
  for (const title of ['Harbour at dawn', 'Winter trains', 'The lighthouse']) await videos.create({ title })
  await dashboard.api.other.as('admin').videos.create({ title: 'Secret of the other channel' })
})
after(() => dashboard.stop())

const active = async (title: string) => {
  const { response } = await dashboard.api.as('admin').videos.list({ title, active: 'all' })
  return response[0]?.active
}

test('a publisher signs in, finds a video while typing and opens it', async () => {
  const page = await dashboard.open('/videos')
  await page.getByRole('link', { name: 'Winter trains' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('light')
  await page.getByRole('link', { name: 'Winter trains' }).waitFor({ state: 'detached' })
  assert.match(page.url(), /q=light/)
  await page.getByRole('link', { name: 'The lighthouse' }).click()
  await page.getByRole('heading', { name: 'The lighthouse', level: 1 }).waitFor()
  await page.goBack()
  assert.equal(await page.getByLabel('Search', { exact: true }).inputValue(), 'light')
  assert.deepEqual(problemsOf(page), [])
  await page.context().close()
})

test('a wrong password is refused in words, and the page that was asked for opens after the right one', async () => {
  const page = await dashboard.open('/videos')
  await page.getByRole('heading', { name: 'Videos' }).waitFor()
  await page.getByRole('button', { name: /Signed in as/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('E-mail address').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  assert.match((await page.getByRole('alert').textContent()) ?? '', /password is wrong/)
  assert.deepEqual(await barriersOn(page), [])
  await page.context().close()
})

test('several videos are unpublished at once, and published again by undo', async () => {
  const page = await dashboard.open('/videos')
  await page.getByRole('checkbox', { name: 'Select Winter trains' }).check()
  await page.getByRole('checkbox', { name: 'Select The lighthouse' }).check()
  await page.getByRole('button', { name: 'Unpublish', exact: true }).click()
  await page.getByText('Unpublished 2 videos').waitFor()
  assert.equal(await active('Winter trains'), false)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('As it was before').waitFor()
  assert.equal(await active('Winter trains'), true)
  assert.equal(await active('The lighthouse'), true)
  assert.deepEqual(problemsOf(page), [])
  await page.context().close()
})

test('a deleted video comes back by undo', async () => {
  const page = await dashboard.open('/videos')
  await page.getByRole('button', { name: 'Actions for Harbour at dawn' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('link', { name: 'Harbour at dawn' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'Harbour at dawn' }).waitFor()
  await page.context().close()
})

test('somebody who may only look sees the videos and no way to change them', async () => {
  const page = await dashboard.open('/videos', { role: 'viewer' })
  await page.getByRole('link', { name: 'Winter trains' }).waitFor()
  assert.equal(await page.getByRole('checkbox').count(), 0)
  assert.equal(await page.getByRole('button', { name: /Actions for/ }).count(), 0)
  assert.equal(await page.getByRole('link', { name: 'Upload' }).count(), 0)
  await page.context().close()
})

test('two channels of one publisher never show each other’s videos', async () => {
  const page = await dashboard.open('/videos', { also: [dashboard.api.other] })
  await page.getByRole('button', { name: /^Channel: / }).click()
  await page.getByRole('menuitem', { name: /Other/ }).click()
  await page.getByRole('link', { name: 'Videos', exact: true }).click()
  await page.getByRole('link', { name: 'Secret of the other channel' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Winter trains' }).count(), 0)
  await page.getByRole('button', { name: /^Channel: / }).click()
  await page.getByRole('menuitem', { name: /One/ }).click()
  await page.getByRole('link', { name: 'Videos', exact: true }).click()
  await page.getByRole('link', { name: 'Winter trains' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Secret of the other channel' }).count(), 0)
  await page.context().close()
})

for (const [where, options] of Object.entries({ desk: {}, phone }))
  for (const colorScheme of ['light', 'dark'] as const)
    test(`on a ${where} in ${colorScheme} the videos can be used by everybody`, async () => {
      const page = await dashboard.open('/videos', { ...options, colorScheme })
      await page.getByRole('link', { name: 'Winter trains' }).waitFor()
      assert.deepEqual(await barriersOn(page), [])
      assert.equal(await overflowOf(page), 0)
      await page.locator('label', { hasText: 'Table' }).click()
      await page.getByRole('table').waitFor()
      assert.deepEqual(await barriersOn(page), [])
      assert.equal(await overflowOf(page), 0)
      assert.deepEqual(problemsOf(page), [])
      await page.context().close()
    })
