import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { makeClip } from '../support/clip.js'
import { barriersOn, overflowOf, phone } from '../support/dashboard.js'
import { leave, withDashboard } from '../support/dashboard-tests.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { until } from '../support/patience.js'

/** A video with all its formats, that all tests share. */
let videoId: string
const dashboard = withDashboard(async ({ api }) => {
  const worker = openWorker(api)
  const clip = await makeClip({ seconds: 6, size: '320x180', rate: '10', audio: 'none' })
  videoId = (await uploadClip(api, clip, 'The Horse in Motion'))._id
  await untilPrepared(api, videoId)
  return worker.stop
})

const admin = () => dashboard.api.as('admin')

async function open(tab: string, options = {}): Promise<Page> {
  const page = await dashboard.open(`/videos/${videoId}?tab=${tab}`, { hasPlayer: false, ...options })
  await page.getByRole('heading', { level: 1, name: 'The Horse in Motion' }).waitFor()
  await page.getByRole('tabpanel').getByRole('heading').first().waitFor()
  return page
}

/** The place of an element in the window. */
async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  assert.ok(box, `${element} is not visible`)
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

const playerOf = (page: Page) => page.locator('iframe').first()

test('the player is beside the form on a wide screen and stays there, and above it on a narrow one', async () => {
  const page = await open('details')
  const panel = page.getByRole('tabpanel')
  const [player, form] = [await boxOf(playerOf(page)), await boxOf(panel)]
  assert.ok(player.x >= form.right, 'the player is beside the form')
  assert.ok(form.width > player.width, 'the form has more room than the player')
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  const later = await boxOf(playerOf(page))
  assert.ok(later.y > 0 && later.bottom < 800, 'the player stays in sight')

  await page.setViewportSize({ width: 900, height: 800 })
  await page.evaluate('scrollTo(0, 0)')
  const [above, tabs] = [await boxOf(playerOf(page)), await boxOf(page.getByRole('tablist'))]
  assert.ok(above.bottom <= tabs.y, 'the player is above the tabs')
  assert.ok(tabs.bottom < 800, 'the tabs are on the first screen')
  assert.equal(await overflowOf(page), 0)
  await leave(page)
})

test('finished formats are one line that opens, and on a phone the tabs are on the first screen', async () => {
  await until('all formats', async () => (await admin().videos.get(videoId)).complete_at !== null)
  const page = await open('details', { ...phone, colorScheme: 'dark' })
  const tabs = await boxOf(page.getByRole('tablist'))
  assert.ok(tabs.bottom < 780, `the tabs end at ${tabs.bottom}`)
  const formats = page.getByRole('region', { name: 'Formats' })
  const line = formats.locator('summary')
  await until('the number of formats', async () =>
    /^\d+ formats? ready · [\d.]+ [kM]B$/.test((await line.textContent()) ?? ''),
  )
  assert.equal(await formats.getByText('HLS').first().isVisible(), false)
  await line.press('Enter')
  await formats.getByText('HLS').first().waitFor()
  assert.deepEqual(await barriersOn(page), [])
  assert.equal(await overflowOf(page), 0)
  await leave(page)
})

test('while a format fails or is made, all formats are listed', async () => {
  const page = await open('details')
  const answer = JSON.stringify({
    response: {
      ...(await admin().videos.get(videoId)),
      renditions: [
        { name: 'hls_720p', status: 'ready', progress: 100, filesize: 2_000_000 },
        { name: 'hls_240p', status: 'failed', progress: null },
      ],
    },
  })
  await page.route(
    ({ pathname }) => pathname === `/videos/${videoId}`,
    (route) => route.fulfill({ contentType: 'application/json', body: answer }),
  )
  await page.reload()
  const formats = page.getByRole('region', { name: 'Formats' })
  await formats.getByText('1 of 2 formats ready · 1 format failed · 2 MB').waitFor()
  await formats.getByText('Failed', { exact: true }).waitFor()
  await leave(page)
})

const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('rare fields are folded, say how many have a value, and stay as each person left them', async () => {
  const page = await open('details')
  const ids = group(page, 'IDs in other services')
  const hulu = page.getByLabel('Hulu ID')
  assert.equal(await hulu.isVisible(), false)
  assert.ok((await boxOf(page.getByRole('tabpanel'))).height < 1500, 'the form is short')
  await ids.getByText('Empty').waitFor()
  await ids.locator('summary').press('Enter')
  await hulu.fill('h-1878')
  await page.keyboard.press('Control+s')
  await page.getByText(/^Saved/).waitFor()
  await ids.getByText('1 filled in').waitFor()
  assert.deepEqual(await barriersOn(page), [])
  await page.reload()
  await hulu.waitFor()
  await ids.locator('summary').press('Enter')
  await hulu.waitFor({ state: 'hidden' })
  await page.reload()
  await ids.getByText('1 filled in').waitFor()
  assert.equal(await hulu.isVisible(), false)

  await page.getByRole('button', { name: 'Show all' }).press('Enter')
  await hulu.waitFor()
  await page.getByLabel('Season').waitFor()
  await page.getByRole('button', { name: 'Fold all' }).press('Enter')
  await hulu.waitFor({ state: 'hidden' })
  await leave(page)

  const linked = await dashboard.open(`/videos/${videoId}?tab=details&fields=all`, { hasPlayer: false })
  await linked.getByLabel('Hulu ID').waitFor()
  await linked.getByLabel('Season').waitFor()
  await leave(linked)
})

test('a folded group opens when a field in it is refused', async () => {
  const page = await open('details')
  const more = group(page, 'More')
  const address = page.getByLabel('Page on your site')
  await more.locator('summary').click()
  await address.fill('example.com')
  await more.getByText('1 problem').waitFor()
  await more.locator('summary').click()
  await address.waitFor({ state: 'hidden' })
  await page.keyboard.press('Control+s')
  await address.and(page.locator(':focus')).waitFor()
  await address.fill('https://example.com/horse')
  await more.getByText('1 problem').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+s')
  await page.getByText(/^Saved/).waitFor()
  await leave(page)
})

test('Access names the plans and passes that open the video, and its prices have a currency', async () => {
  const { plans, pass_plans, playlists } = admin()
  const page = await open('access')
  const needs = group(page, 'What viewers need')
  await needs.getByText('Everyone can watch this video.').waitFor()
  const ads = page.getByRole('switch', { name: 'Ads for subscribers' })
  assert.equal(await ads.count(), 0)
  await page.getByRole('switch', { name: 'Subscription' }).press('Space')
  await ads.waitFor()
  await needs.getByText('No plan opens this video yet.').waitFor()
  const create = needs.getByRole('link', { name: 'Create one' })
  assert.match((await create.getAttribute('href')) ?? '', /\/dashboard\/c\/\w{24}\/plans\/new$/)

  const terms = {
    amount: '4.90',
    currency: 'EUR',
    interval: 'month',
    interval_count: 1,
    active: true,
  } as const
  const [inside, outside] = await Promise.all(
    ['Motion studies', 'Other studies'].map((title) => playlists.create({ title })),
  )
  await playlists.addVideos(inside?._id ?? '', { video_id: [videoId] })
  const all = await plans.create({ ...terms, name: 'Everything', entitlement_type: 'global' })
  for (const [name, list] of [
    ['Studies', inside],
    ['Elsewhere', outside],
  ] as const)
    await plans.create({ ...terms, name, entitlement_type: 'tiered', playlist_ids: [list?._id ?? ''] })
  await pass_plans.create({ name: 'Weekend', amount: '9', currency: 'EUR' })
  await admin().videos.update(videoId, { subscription_required: true })
  await page.reload()
  await needs.getByText(/^Viewers need one of these plans: /).waitFor()
  await needs.getByRole('link', { name: 'Set it in the channel settings' }).waitFor()
  assert.deepEqual((await needs.getByRole('link').allTextContents()).sort(), [
    'Everything',
    'Set it in the channel settings',
    'Studies',
  ])
  const link = needs.getByRole('link', { name: 'Everything' })
  assert.ok((await link.getAttribute('href'))?.endsWith(`/plans/${all._id}`))
  await needs.getByText('(€4.90 a month)').first().waitFor()

  await page.getByRole('switch', { name: /^Pass/ }).press('Space')
  await needs.getByText('the pass Weekend (€9.00)').waitFor()
  await page.getByRole('switch', { name: 'For sale' }).press('Space')
  await needs.getByText('to buy it. No price is set yet.').waitFor()
  const price = page.getByLabel('Purchase price')
  await price.fill('1,299')
  await page.getByText('Use a point for the decimals').waitFor()
  await price.fill('4.999')
  await page.getByText('Use at most 2 decimals, such as 4.99.').waitFor()
  await price.fill('4.99')
  await page.getByText('Viewers see €4.99.').waitFor()
  await needs.getByText('to buy it for €4.99').waitFor()
  assert.deepEqual(await barriersOn(page), [])
  await page.keyboard.press('Control+s')
  await page.getByText(/^Saved/).waitFor()
  assert.equal((await admin().videos.get(videoId)).purchase_price, '4.99')
  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByText('Only subscribers, viewers with a pass, and buyers can watch.').waitFor()
  await page.getByRole('link', { name: 'Change access' }).click()
  await needs.waitFor()
  await leave(page)
})

/** How many pixels of the focused field or row are under the bar. */
const coveredBy = (page: Page, bar: string) =>
  page.evaluate((selector) => {
    const focused = document.activeElement
    if (focused === document.body) throw new Error('No element has the focus.')
    const shown = focused?.closest('.mantine-InputWrapper-root, tr, li') ?? focused
    const top = document.querySelector(selector)?.getBoundingClientRect().top
    return top === undefined || !shown ? undefined : shown.getBoundingClientRect().bottom - top
  }, bar)

test('the save bar never covers the field in use, on the video page and on a new record', async () => {
  const saveBar = 'div:has(> button[type=submit])'
  for (const [path, options] of [
    [`/videos/${videoId}?tab=details`, { hasPlayer: false, viewport: { width: 1280, height: 600 } }],
    ['/plans/new', phone],
  ] as const) {
    const page = await dashboard.open(path, options)
    const first = page.locator('form input, form textarea').first()
    await first.pressSequentially('x')
    await page.locator(saveBar).waitFor()
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab')
      if (await page.evaluate((bar) => document.activeElement?.closest(bar) !== null, saveBar)) break
      if (!(await page.evaluate(() => document.activeElement?.closest('form') !== null))) continue
      // The page scrolls after the next frame.
      const name = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 100))
      await until(`the whole of ${name}`, async () => ((await coveredBy(page, saveBar)) ?? 1) <= 0)
    }
    page.on('dialog', (dialog) => void dialog.accept())
    await leave(page)
  }
})

test('the bar of selected videos leaves the last row free', async () => {
  for (const number of Array.from({ length: 12 }, (_, index) => index))
    await admin().videos.create({ title: `Study ${number}` })
  const page = await dashboard.open('/videos?layout=table', { viewport: { width: 1280, height: 600 } })
  const last = page.getByRole('checkbox', { name: /^Select (?!all)/ }).last()
  await last.focus()
  await page.keyboard.press('Space')
  const bar = '[aria-label="Actions for the selected videos"]'
  await page.locator(bar).waitFor()
  await until('the whole row', async () => ((await coveredBy(page, bar)) ?? 1) <= 0).catch(async (cause) => {
    const places = await page.evaluate((selector) => {
      const rows = [document.querySelector(selector), document.activeElement?.closest('tr')]
      return [scrollY, document.body.scrollHeight, ...rows.map((row) => row?.getBoundingClientRect())]
    }, bar)
    throw new Error(`The bar covers the row: ${JSON.stringify(places)}`, { cause })
  })
  await leave(page)
})
