import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { barriersOn, overflowOf, phone, problemsOf } from '../support/dashboard.js'
import { leave, withDashboard } from '../support/dashboard-tests.js'
import { untilEqual } from '../support/patience.js'

const dashboard = withDashboard(async ({ api }) => {
  const { videos } = api.as('admin')
  for (const title of ['Harbour at dawn', 'Winter trains', 'The lighthouse']) await videos.create({ title })
  await api.other.as('admin').videos.create({ title: 'Secret of the other channel' })
  return undefined
})

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
  await page.waitForURL(/q=light$/)
  await page.getByRole('link', { name: 'The lighthouse' }).click()
  await page.getByRole('heading', { name: 'The lighthouse', level: 1 }).waitFor()
  await page.goBack()
  await untilEqual(() => page.getByLabel('Search', { exact: true }).inputValue(), 'light')
  await leave(page)
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
  await page.getByText('Undone').waitFor()
  assert.equal(await active('Winter trains'), true)
  assert.equal(await active('The lighthouse'), true)
  await leave(page)
})

test('with Shift, a click and the space bar select all videos from the last one', async () => {
  const page = await dashboard.open('/videos')
  const ticks = page.getByRole('checkbox', { name: /^Select (Harbour|Winter|The l)/ })
  await ticks.nth(2).waitFor()
  await ticks.nth(0).check()
  await ticks.nth(2).click({ modifiers: ['Shift'] })
  await page.getByText('3 selected').waitFor()
  await ticks.nth(1).focus()
  await page.keyboard.press('Shift+Space')
  await page.getByText('1 selected').waitFor()
  assert.deepEqual(
    [await ticks.nth(0).isChecked(), await ticks.nth(1).isChecked(), await ticks.nth(2).isChecked()],
    [true, false, false],
  )
  assert.equal(await page.evaluate(() => window.getSelection()?.toString()), '')
  await leave(page)
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

test('deletions share one notice, whose undo brings all videos back', async () => {
  const page = await dashboard.open('/videos')
  const titles = ['Harbour at dawn', 'Winter trains']
  for (const title of titles) {
    await page.getByRole('button', { name: `Actions for ${title}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('link', { name: title }).waitFor({ state: 'detached' })
  }
  await page.getByRole('alert').filter({ hasText: 'Deleted 2 videos' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 1)
  await page.getByRole('button', { name: 'Undo' }).click()
  for (const title of titles) await page.getByRole('link', { name: title }).waitFor()

  await page.getByRole('button', { name: 'Actions for Harbour at dawn' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const deleted = page.getByRole('alert').filter({ hasText: 'Deleted 1 video' })
  await deleted.waitFor()
  await page.getByRole('link', { name: 'Trash' }).click()
  await page.getByRole('button', { name: 'Actions for Harbour at dawn' }).click()
  await page.getByRole('menuitem', { name: 'Restore' }).click()
  await page.getByRole('alert').filter({ hasText: 'Restored 1 video' }).waitFor()
  await deleted.waitFor({ state: 'detached' })
  await page.context().close()
})

test('a viewer sees the videos but no controls to change them', async () => {
  const page = await dashboard.open('/videos', { role: 'viewer' })
  await page.getByRole('link', { name: 'Winter trains' }).waitFor()
  assert.equal(await page.getByRole('checkbox').count(), 0)
  assert.equal(await page.getByRole('button', { name: /Actions for/ }).count(), 0)
  assert.equal(await page.getByRole('link', { name: 'Upload' }).count(), 0)
  assert.equal(await page.getByRole('link', { name: 'Status' }).count(), 0)
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
  test(`on a ${where} the videos can be used by everybody, in light and in dark`, async () => {
    const page = await dashboard.open('/videos', options)
    await page.getByRole('link', { name: 'Winter trains' }).waitFor()
    for (const layout of ['Grid', 'Table']) {
      await page.locator('label', { hasText: layout }).click()
      await page
        .getByRole(layout === 'Table' ? 'table' : 'listitem')
        .first()
        .waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
        assert.deepEqual(await barriersOn(page), [], `${layout} in ${colorScheme}`)
        assert.equal(await overflowOf(page), 0, `${layout} in ${colorScheme}`)
      }
    }
    await leave(page)
  })

test('filters, order and layout are saved as a view that is there on another device', async () => {
  const page = await dashboard.open('/videos')
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('dialog', { name: 'Filters' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Filters' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Published', { exact: true }).selectOption('true')
  await page.getByLabel('Added: From').fill('2020-01-01')
  await page.getByRole('button', { name: 'Show videos' }).click()
  await page.getByLabel('Sort by').selectOption('title asc')
  await page.locator('label', { hasText: 'Table' }).click()
  await page.getByRole('table').waitFor()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  await page.getByLabel('Name').fill('Published, by title')
  await page.getByRole('button', { name: 'Save this view' }).click()
  await page.getByRole('button', { name: 'Published, by title', exact: true }).waitFor()

  const elsewhere = await page.context().browser()?.newContext({ reducedMotion: 'reduce' })
  await elsewhere?.addCookies(await page.context().cookies())
  const device = await elsewhere?.newPage()
  assert.ok(device)
  await device.goto(`${dashboard.api.url}/dashboard/videos`)
  await device.getByRole('button', { name: 'Views' }).click()
  await device.getByRole('menuitem', { name: 'Published, by title', exact: true }).click()
  await device.getByRole('table').waitFor()
  await device.getByRole('button', { name: /Remove the filter Published: Yes/ }).waitFor()
  assert.equal(await device.getByLabel('Sort by').inputValue(), 'title asc')
  await device.getByRole('button', { name: /Remove the filter Added/ }).click()
  await device.waitForURL((url) => !url.search.includes('created_at'))
  assert.deepEqual([...problemsOf(page), ...(await barriersOn(device))], [])
  await elsewhere?.close()
  await page.context().close()
})

test('several videos are given the same at once after a preview, and are as before after undo', async () => {
  const page = await dashboard.open('/videos')
  await page.getByRole('checkbox', { name: 'Select Winter trains' }).check()
  await page.getByRole('checkbox', { name: 'Select The lighthouse' }).check()
  await page.getByRole('button', { name: 'Edit…' }).click()
  // Each choice closes the list, which would cover the inputs.
  for (const name of ['Keywords', 'Genre']) {
    await page.getByRole('combobox', { name: 'Fields to change' }).click()
    await page.getByRole('option', { name }).click()
    await page.getByRole('option').first().waitFor({ state: 'hidden' })
  }
  await page.getByRole('combobox', { name: 'Keywords', exact: true }).fill('coast')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Genre' }).fill('Travel')
  assert.deepEqual(await barriersOn(page), [])
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('2 of 2 videos will change.').waitFor()
  // While the change runs, neither Escape nor a click outside closes the dialog.
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route(/\/batch$/, async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('button', { name: 'Change 2 videos' }).click()
  await page.getByText('0 of 2').waitFor()
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  goOn()
  await page.getByText('Changed 2 videos.').waitFor()
  const read = async () => {
    const { response } = await dashboard.api.as('admin').videos.list({ q: 'Winter' })
    return [response[0]?.keywords, response[0]?.genre]
  }
  assert.deepEqual(await read(), [['coast'], 'Travel'])
  // The undo stays in a notice.
  await page.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('alert').filter({ hasText: 'Changed 2 videos' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Restored 2 videos.').waitFor()
  assert.deepEqual(await read(), [[], null])
  await leave(page)
})

test('a CSV becomes videos; failed rows come back as a file, and a second run makes nothing twice', async () => {
  const { api } = dashboard
  await api.as('admin').categories.create({ title: 'Coast', values: ['North', 'South'] })
  const csv = [
    'Title;URL;Tags;Coast;Featured;Publish date;id',
    'Fog;https://films.example/fog.mp4;sea|grey;North;yes;2026-01-31;fog-1',
    ';https://films.example/low%20tide.mp4;;;no;;',
    '"Rain; or ""drizzle""";;;South;;;',
    'Wrong;;;East;perhaps;yesterday;',
    'Fog again;;;;;;fog-1',
  ].join('\r\n')
  const page = await dashboard.open('/import')
  const choose = async () => {
    await page.getByRole('heading', { name: 'Import from CSV' }).waitFor()
    const buffer = Buffer.from(csv)
    await page.locator('input[type=file]').setInputFiles({ name: 'films.csv', mimeType: 'text/csv', buffer })
    await page.getByText('3 can be imported, 2 cannot.').waitFor()
    assert.deepEqual(await barriersOn(page), [])
    await page.getByRole('button', { name: 'Import 3 rows' }).click()
    await page.getByText('5 of 5 rows').waitFor()
    await page.getByRole('heading', { name: 'Result' }).waitFor()
  }
  await choose()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download failed rows' }).click()
  const failed = await readFile(await (await downloading).path(), 'utf8')
  assert.deepEqual(
    failed.split('\r\n').map((line) => line.split(';')[0]),
    ['\ufeffTitle', 'Wrong', 'Fog again', ''],
  )
  const read = async () => {
    const { response } = await api.as('admin').videos.list({ per_page: 50 })
    return response.filter(({ source_id }) => source_id)
  }
  const made = await read()
  assert.deepEqual(made.map(({ title }) => title).sort(), ['Fog', 'Rain; or "drizzle"', 'low tide'])
  const fog = made.find(({ source_id }) => source_id === 'fog-1')
  assert.deepEqual(
    [fog?.keywords, fog?.featured, fog?.categories[0]?.value, fog?.status],
    [['sea', 'grey'], true, ['North'], 'uploading'],
  )
  const imports = await api.as('admin').video_imports.list()
  assert.ok(imports.response.some(({ source_url }) => source_url === 'https://films.example/fog.mp4'))

  await page.reload()
  await choose()
  await page.getByText('Already imported').locator('..').getByText('3', { exact: true }).waitFor()
  assert.equal((await read()).length, 3)
  await leave(page)
})
