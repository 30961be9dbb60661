import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { leave, withDashboard } from '../support/dashboard-tests.js'
import { until } from '../support/patience.js'

const dashboard = withDashboard(async ({ api }) => {
  await api.other.as('admin').videos.create({ title: 'One before all others' })
  const { db } = api.database
  const rows = Array.from({ length: 500 }, (_, index) => ({
    _id: index.toString(16).padStart(24, '0'),
    site_id: api.other.channel._id,
    title: `Film number ${index}`,
    friendly_title: `film-number-${index}`,
    created_at: new Date(1.6e12 + index * 60_000),
  }))
  await db`insert into videos ${db(rows)}`
  return undefined
})

async function openLongList(): Promise<Page> {
  const page = await dashboard.open('/videos', { also: [dashboard.api.other] })
  await page.getByRole('button', { name: /^Channel: / }).click()
  await page.getByRole('menuitem', { name: /Other/ }).click()
  await page.getByRole('link', { name: 'Videos', exact: true }).click()
  await page.getByRole('link', { name: 'Film number 499' }).waitFor()
  return page
}

/** Waits until the address has the page that is on the screen. */
const untilNoted = (page: Page, numbers: RegExp) =>
  until('the page in the address', () => numbers.test(page.url())).catch(async (cause) => {
    const places = await page.evaluate('[scrollY, document.documentElement.scrollHeight]')
    throw new Error(`The list is at ${places}, the address ${page.url()}`, { cause })
  })

const scrollToEnd = (page: Page) => page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')

/** Scrolls up by a few rows at a time. Returns the places of entries that are not where the list was laid out for them. */
async function misplacedWhileScrolling(): Promise<readonly string[]> {
  const misplaced: string[] = []
  const entries = () => Array.from(document.querySelectorAll('[data-entry]'))
  const topOf = (entry: Element | undefined) => (entry?.getBoundingClientRect().top ?? 0) + scrollY
  const [one] = entries()
  const columns = entries().filter((each) => topOf(each) === topOf(one)).length
  const next = entries()[columns]
  const rowHeight = topOf(next) - topOf(one)
  const placeOf = (entry: Element | undefined) => Number(entry?.getAttribute('aria-posinset')) - 1
  const start = topOf(one) - (placeOf(one) / columns) * rowHeight
  for (let frame = 0; frame < 20; frame += 1) {
    scrollBy(0, -2 * rowHeight)
    await new Promise(requestAnimationFrame)
    const [first] = entries()
    const row = (topOf(first) - start) / rowHeight
    if (Math.abs(row * columns - placeOf(first)) > 1) misplaced.push(`${placeOf(first)} in row ${row}`)
  }
  return misplaced
}

test('a long list is scrolled to its end with few videos in the page, and its address leads back there', async () => {
  const page = await openLongList()
  await scrollToEnd(page)
  await page.getByRole('link', { name: 'Film number 0', exact: true }).waitFor()
  assert.ok((await page.getByRole('listitem').count()) < 100)
  await untilNoted(page, /page=[78]/)
  const pages: string[] = []
  const note = (request: Request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/videos' && searchParams.has('per_page'))
      pages.push(searchParams.get('page') ?? 'first')
  }
  page.on('request', note)
  const { search } = new URL(page.url())
  await page.reload()
  await page
    .getByRole('link', { name: /^Film number \d\d?$/ })
    .first()
    .waitFor()
  // The address keeps its page meanwhile, and no other page is asked for than those on the screen.
  assert.equal(new URL(page.url()).search, search)
  assert.ok(pages.length > 0 && pages.every((each) => ['6', '7', '8'].includes(each)), pages.join())
  page.off('request', note)
  // Rows that are exchanged while the list is scrolled are drawn at their places at once.
  assert.deepEqual(await page.evaluate(misplacedWhileScrolling), [])
  await page
    .getByRole('checkbox', { name: /^Select Film number/ })
    .first()
    .check()
  await page.getByRole('button', { name: 'Select all results' }).click()
  await page.getByText('501 selected').waitFor()
  // Another layout shows what was on the screen, although the address follows later.
  const toTopAndSwitch = (layout: string) =>
    page.evaluate(async (layout) => {
      scrollTo(0, 0)
      for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame)
      document.querySelector<HTMLInputElement>(`input[type=radio][value=${layout}]`)?.click()
    }, layout)
  await toTopAndSwitch('table')
  await page.locator('table').waitFor()
  await page.getByRole('link', { name: 'Film number 499' }).waitFor()
  await page.locator('label', { hasText: 'Grid' }).click()
  await page.locator('ul[aria-busy]').waitFor()
  // The page stays where it is while rows are exchanged, also above the bar and in the other layout.
  for (const [layout, list] of [
    ['Table', 'table'],
    ['Grid', 'ul[aria-busy]'],
  ] as const) {
    await page.evaluate('scrollTo(0, 0)')
    await page.locator('label', { hasText: layout }).click()
    await page.locator(list).waitFor()
    await scrollToEnd(page)
    await page.getByRole('link', { name: 'Film number 0', exact: true }).waitFor()
  }
  // The box of the heading selects a whole page, also the rows that are not drawn.
  await page.evaluate('scrollTo(0, 0)')
  await page.locator('label', { hasText: 'Table' }).click()
  const heading = page.getByRole('checkbox', { name: 'Select all on this page' })
  await heading.waitFor()
  await page.getByRole('link', { name: 'Film number 499' }).waitFor()
  await heading.uncheck()
  await page.getByRole('region', { name: 'Actions for the selected videos' }).waitFor({ state: 'detached' })
  await heading.check()
  await page.getByText('60 selected on this page').waitFor()
  await page.getByRole('button', { name: 'Select all results' }).click()
  await page.getByText('501 selected').waitFor()

  // A preview of all of them takes a request to read and one to try for each hundred.
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.getByRole('button', { name: 'Edit…' }).click()
  await page.getByRole('combobox', { name: 'Fields to change' }).click()
  await page.getByRole('option', { name: 'Genre' }).click()
  await page.getByRole('heading', { name: 'Edit 501 videos' }).click()
  await page.getByRole('textbox', { name: 'Genre' }).fill('Travel')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('501 of 501 videos will change.').waitFor()
  assert.equal(asked.filter((path) => path === '/batch').length, 6)
  assert.equal(asked.filter((path) => path === '/videos').length, 6)
  const { db } = dashboard.api.database
  const [{ count } = {}] = await db`select count(*)::int as count from videos where genre = 'Travel'`
  assert.equal(count, 0)
  await leave(page)
})

test('a long list is where it was after a reload, in a low window, and on the way back, also if pages count from 1', async () => {
  await dashboard.api.other.as('admin').account.update({ first_page: 1 })
  const page = await openLongList()
  await page.setViewportSize({ width: 900, height: 420 })
  await scrollToEnd(page)
  await page.getByRole('link', { name: 'Film number 0', exact: true }).waitFor()
  await untilNoted(page, /page=[89]/)
  const { search } = new URL(page.url())
  const isNear = async () => {
    await page
      .getByRole('link', { name: /^Film number \d\d?$/ })
      .first()
      .waitFor()
    // Longer than it takes until another page would be noted.
    await page.waitForTimeout(1000)
    assert.equal(new URL(page.url()).search, search)
  }
  const addresses: string[] = []
  page.on('framenavigated', (frame) => addresses.push(new URL(frame.url()).search))
  for (let round = 0; round < 3; round += 1) {
    await page.reload()
    await isNear()
  }
  assert.deepEqual([...new Set(addresses)], [search])
  await page.getByRole('link', { name: 'Film number 18' }).click()
  await page.getByRole('heading', { name: 'Film number 18' }).waitFor()
  await page.evaluate('scrollTo(0, 300)')
  await page.goBack()
  await isNear()
  // Another query begins at its top.
  await page.getByRole('searchbox').fill('number 42')
  await page.getByRole('link', { name: 'Film number 42', exact: true }).waitFor()
  assert.equal(await page.evaluate('scrollY'), 0)
  await leave(page)
})
