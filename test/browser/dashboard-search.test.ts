import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barriersOn, overflowOf } from '../support/dashboard.js'
import { leave, looks, withDashboard } from '../support/dashboard-tests.js'

/** Videos by their names here. */
const ids: Record<string, string> = {}

const dashboard = withDashboard(async ({ api }) => {
  const { videos, subtitles } = api.as('admin')
  const make = async (name: string, fields: Parameters<typeof videos.create>[0]) => {
    ids[name] = (await videos.create(fields))._id
  }
  await make('title', { title: 'The archivist' })
  await make('long', { title: 'Papers', description: 'About an <b>archivist</b> & her cat.' })
  await make('spoken', { title: 'The heist' })
  await make('other', { title: 'Winter trains' })
  await subtitles.create(ids.spoken ?? '', {
    language: 'en',
    file: Buffer.from('1\n00:12:31,250 --> 00:12:33,000\nthe vault opens\n').toString('base64'),
  })
  await api.as('admin').playlists.create({ title: 'Autumn' })
  return undefined
})

test('a search marks its words in titles, descriptions and subtitles, and counts its results', async () => {
  const page = await dashboard.open('/videos')
  await page.getByRole('link', { name: 'Winter trains' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('archivist')
  await page.getByText('2 results').waitFor()
  await page.locator('mark', { hasText: 'archivist' }).nth(1).waitFor()
  await page.getByText('Description: About an <b>archivist</b> & her cat.').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Winter trains' }).count(), 0)
  await page.getByLabel('Search', { exact: true }).fill('vault opens')
  await page.getByText('1 result', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Open The heist at 12:31' }).click()
  await page.getByRole('heading', { name: 'The heist', level: 1 }).waitFor()
  assert.match(page.url(), /[?&]t=751\b/)
  await leave(page)
})

test('misspelt words are corrected, and can be searched for as they were typed', async () => {
  const page = await dashboard.open('/videos?q=arcivist')
  await page.getByText('Showing results for archivist').waitFor()
  await page.getByText('2 results').waitFor()
  await page.getByRole('button', { name: 'Search instead for arcivist' }).click()
  await page.getByText('No results', { exact: true }).waitFor()
  assert.equal(await page.getByText('Showing results for').count(), 0)
  await page.getByLabel('Search', { exact: true }).fill('arcivis')
  await page.getByText('Showing results for archivist').waitFor()
  await leave(page)
})

for (const [look, options] of Object.entries(looks))
  test(`the results can be used by everybody on ${look}`, async () => {
    const page = await dashboard.open('/videos?q=arcivist', options)
    await page.getByText('Showing results for archivist').waitFor()
    assert.deepEqual(await barriersOn(page), [])
    assert.equal(await overflowOf(page), 0)
    await page.locator('label', { hasText: 'Table' }).click()
    await page.getByRole('table').waitFor()
    assert.deepEqual(await barriersOn(page), [])
    assert.equal(await overflowOf(page), 0)
    await leave(page)
  })

test('Ctrl+K finds a video by a spoken line and opens it there', async () => {
  const page = await dashboard.open('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('vault')
  await page.getByRole('option', { name: /The heist.*12:31 the vault opens/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'The heist', level: 1 }).waitFor()
  assert.match(page.url(), /[?&]t=751\b/)
  await leave(page)
})

const titlesIn = async (title: string) => {
  const { playlists } = dashboard.api.as('admin')
  const { response } = await playlists.list({ title, active: 'all' })
  const found = await playlists.videos(response[0]?._id ?? '', { active: 'all' })
  return found.response.map((video) => video.title).sort()
}

test('selected videos are added to a playlist by keyboard, counted, and taken out again by undo', async () => {
  const page = await dashboard.open('/videos')
  await page.getByRole('checkbox', { name: 'Select Papers' }).check()
  await page.getByRole('button', { name: 'Add to playlist…' }).click()
  await page.getByRole('dialog', { name: 'Add 1 video to a playlist' }).waitFor()
  await page.getByLabel('Find a playlist').fill('aut')
  await page.getByRole('button', { name: /^Autumn/ }).focus()
  assert.deepEqual(await barriersOn(page), [])
  await page.keyboard.press('Enter')
  await page.getByText('1 added: Autumn').waitFor()
  assert.deepEqual(await titlesIn('Autumn'), ['Papers'])
  await page.getByRole('checkbox', { name: 'Select Papers' }).check()
  await page.getByRole('button', { name: 'Select all results' }).click()
  await page.getByText('4 selected').waitFor()
  await page.getByRole('button', { name: 'Add to playlist…' }).click()
  await page.getByRole('button', { name: /^Autumn/ }).click()
  await page.getByText('3 added, 1 was already in it: Autumn').waitFor()
  assert.equal((await titlesIn('Autumn')).length, 4)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByText('Undone').waitFor()
  assert.deepEqual(await titlesIn('Autumn'), ['Papers'])
  await leave(page)
})

test('a playlist is created where videos are added to it', async () => {
  const page = await dashboard.open('/videos')
  await page.getByRole('checkbox', { name: 'Select Winter trains' }).check()
  await page.getByRole('button', { name: 'Add to playlist…' }).click()
  await page.getByLabel('Title of a new playlist').fill('Railways')
  await page.keyboard.press('Enter')
  await page.getByText('1 added: Railways').waitFor()
  assert.deepEqual(await titlesIn('Railways'), ['Winter trains'])
  await leave(page)
})
