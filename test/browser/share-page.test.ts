import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { globalPlan } from '../api/access-targets-money.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { autoplay, openBrowser } from '../support/browser.js'
import { makeClip } from '../support/clip.js'
import { barriersOn } from '../support/dashboard.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { untilEqual } from '../support/patience.js'
import { note } from '../support/secrets.js'
import { ask, shoot } from './player-page.js'

let api: TestApi
let browser: Browser
let id: string
before(async () => {
  api = await startOwnApi()
  const worker = openWorker(api)
  const { _id } = await uploadClip(
    api,
    await makeClip({ seconds: 5, size: '640x360', rate: '10' }),
    'A walk along the harbour',
  )
  id = _id
  await untilPrepared(api, id)
  const isDrawn = async () => (await api.as('admin').videos.get(id)).thumbnails.length > 0
  for (let tries = 0; tries < 2000 && !(await isDrawn()); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 50))
  await worker.stop()
  await api.as('admin').account.update({ title: 'Harbour Films' })
  await api.as('admin').videos.update(id, {
    description:
      'Boats, gulls and a little rain, filmed on a Sunday morning in November.\n\nMusic: the wind, and a bell from the far side.',
  })
  browser = await openBrowser(autoplay)
})
after(async () => {
  await browser?.close()
  await api.stop()
})

async function open(options: BrowserContextOptions = {}): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${api.url}/watch/${id}`)
  return { page, complaints }
}

const phone = {
  viewport: { width: 390, height: 780 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

test('a share page plays, on a desktop and on a phone, by day and by night', async () => {
  const { page, complaints } = await open()
  await page.getByRole('button', { name: /play/i }).first().waitFor()
  await shoot(page, 'share-desktop')
  await ask(page, (player) => player.play())
  for (let tries = 0; tries < 1000 && (await ask(page, ({ currentTime }) => currentTime)) < 0.5; tries += 1)
    await page.waitForTimeout(100)
  assert.ok((await ask(page, ({ currentTime }) => currentTime)) >= 0.5)
  assert.deepEqual(complaints, [])
  await page.context().close()

  const night = await open({ ...phone, colorScheme: 'dark' })
  await night.page.getByRole('button', { name: /play/i }).first().waitFor()
  await shoot(night.page, 'share-phone')
  assert.equal(await widthOf(night.page), 390)
  await night.page.context().close()
})

test('the poster and a play button come before the script, and a press before it is there counts', async () => {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 } })
  const page = await context.newPage()
  const order: string[] = []
  page.on('requestfinished', (request) => order.push(request.url()))
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/zoetrope-player.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${api.url}/watch/${id}`, { waitUntil: 'commit' })
  const play = page.getByRole('button', { name: 'Play' })
  await page.waitForRequest('**/zoetrope-player.js')
  assert.ok(order.some((url) => url.includes('/pictures/')))
  assert.equal(await page.evaluate(() => customElements.get('zoetrope-player')), undefined)
  assert.deepEqual(await barriersOn(page), [])
  await shoot(page, 'share-first-view')
  await play.focus()
  await page.keyboard.press('Enter')
  await page.locator('.first[aria-busy]').waitFor()
  release()
  await page.waitForFunction(
    () =>
      ((document.querySelector('zoetrope-player') as unknown as HTMLVideoElement)?.currentTime ?? 0) > 0.3,
  )
  // The pressed button is gone, and the keys of the player work.
  await page.keyboard.press('k')
  await page.waitForFunction(
    () => (document.querySelector('zoetrope-player') as unknown as HTMLVideoElement).paused,
  )
  await context.close()
})

test('without scripts there are still the words and the picture', async () => {
  const { page } = await open({ javaScriptEnabled: false })
  await page.getByRole('heading', { name: 'A walk along the harbour' }).waitFor()
  await page.getByText('Boats, gulls').waitFor()
  const picture = await page.locator('zoetrope-player img').boundingBox()
  assert.ok(picture && picture.width > 300 && picture.height > 150)
  await shoot(page, 'share-without-scripts')
  await page.context().close()
})

test('a keyboard reaches the controls, and headings and landmarks are there to find them', async () => {
  const { page } = await open()
  await page.getByRole('button', { name: /play/i }).first().waitFor()
  assert.equal(await page.getByRole('main').count(), 1)
  assert.equal(await page.getByRole('banner').count(), 1)
  assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1)
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement?.localName), 'zoetrope-player')
  await page.keyboard.press('k')
  await untilEqual(() => ask(page, ({ paused }) => paused), false)
  await page.context().close()
})

test('subtitles are a transcript beside the film, and below it on a phone', async () => {
  const file = Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nGulls.\n\n00:03.000 --> 00:04.000\nA bell.\n')
  const made = await api.as('admin').subtitles.create(id, { language: 'en', file: file.toString('base64') })
  const { page, complaints } = await open({ viewport: { width: 1400, height: 900 } })
  const transcript = page.getByRole('region', { name: 'Transcript' })
  await transcript.getByRole('button', { name: 'A bell.' }).click()
  await page.waitForFunction(
    () =>
      Math.abs((document.querySelector('zoetrope-player') as unknown as HTMLVideoElement).currentTime - 3) <
      0.2,
  )
  const [film, panel] = [
    await page.locator('zoetrope-player video').boundingBox(),
    await transcript.boundingBox(),
  ]
  assert.ok(film && panel && panel.x >= film.x + film.width - 1)
  assert.ok(Math.abs(film.width / film.height - 16 / 9) < 0.05, `${film.width} × ${film.height}`)
  assert.deepEqual(await barriersOn(page), [])
  assert.deepEqual(complaints, [])
  await shoot(page, 'share-transcript')
  await page.context().close()
  const small = await open({ ...phone, colorScheme: 'dark' })
  await small.page.getByRole('button', { name: 'A bell.' }).waitFor()
  assert.equal(await widthOf(small.page), 390)
  assert.deepEqual(await barriersOn(small.page), [])
  await shoot(small.page, 'share-transcript-phone')
  await small.page.context().close()
  await api.as('admin').subtitles.remove(id, made._id)
})

test('a video for subscribers shows its poster, the reason, and where to go', async () => {
  const { videos, account } = api.as('admin')
  await videos.update(id, { subscription_required: true })
  await account.update({ subscribe_url: `${api.url}/docs`, sign_in_url: `${api.url}/docs` })
  for (const [name, options] of [
    ['desktop', {}],
    ['phone', { ...phone, colorScheme: 'dark' as const }],
  ] as const) {
    const { page } = await open(options)
    await page.getByRole('heading', { level: 1, name: 'A walk along the harbour' }).waitFor()
    await page.getByText('To watch this video, subscribe.').waitFor()
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Subscribe')
    assert.deepEqual(await barriersOn(page), [])
    assert.ok((await widthOf(page)) <= (page.viewportSize()?.width ?? 0))
    await shoot(page, `locked-${name}`)
    await page.context().close()
  }
  await videos.update(id, { subscription_required: false })
})

test('a subscriber signs in on the share page by keyboard, and the film plays', async () => {
  const { videos, account, consumers, plans, subscriptions } = api.as('admin')
  await videos.update(id, { subscription_required: true })
  await account.update({ subscribe_url: null, sign_in_url: null })
  const plan = await plans.create({ ...globalPlan, name: 'Every harbour' })
  const password = 'gulls over the water'
  note(password)
  const viewer = await consumers.create({ email: 'ada@example.com', password })
  const { page } = await open(phone)
  await page.getByText('$4.90 a month').waitFor()
  assert.deepEqual(await barriersOn(page), [])
  await shoot(page, 'locked-sign-in-phone')
  await page.getByLabel('E-mail address').focus()
  await page.keyboard.type('ada@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.type('not this one')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor()
  assert.equal(await page.getByLabel('E-mail address').inputValue(), 'ada@example.com')
  assert.deepEqual(await barriersOn(page), [])
  await page.locator('#password:focus').waitFor()
  await shoot(page, 'locked-wrong-password-phone')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByText('Signed in as ada@example.com').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  assert.match(
    new URL(page.url()).pathname,
    new RegExp(`^/watch/.+-${id}$`),
    'the title stays in the address',
  )
  assert.equal(await page.getByLabel('Password').count(), 0)
  assert.ok((await widthOf(page)) <= 390)
  await shoot(page, 'locked-signed-in-phone')

  await subscriptions.create({ consumer_id: viewer._id, plan_id: plan._id })
  await page.setViewportSize({ width: 1100, height: 900 })
  await page.reload()
  await page.getByRole('button', { name: /play/i }).first().waitFor()
  await ask(page, (player) => player.play())
  await page.waitForFunction(
    () =>
      ((document.querySelector('zoetrope-player') as unknown as HTMLVideoElement)?.currentTime ?? 0) > 0.3,
  )
  assert.deepEqual(await barriersOn(page), [])
  await shoot(page, 'share-signed-in')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('E-mail address').waitFor()
  await shoot(page, 'locked-sign-in-desktop')
  await page.context().close()
  await videos.update(id, { subscription_required: false })
})

test('a playlist is a row of videos, each of which plays above it when it is chosen', async () => {
  const { playlists } = api.as('admin')
  const { _id } = await playlists.create({ title: 'Harbours' })
  await playlists.addVideos(_id, { video_id: [id] })
  const { page, complaints } = await open()
  await page.goto(`${api.url}/playlists/${_id}/carousel.html?api_key=${api.channel.keys.player}`)
  const stage = page.frameLocator('iframe')
  await stage.getByRole('button', { name: /play/i }).first().waitFor()
  await shoot(page, 'carousel-desktop')
  await page.getByRole('link', { name: 'A walk along the harbour' }).click()
  await stage.getByRole('button', { name: /pause/i }).first().waitFor()
  await page.setViewportSize({ width: 360, height: 480 })
  await shoot(page, 'carousel-phone')
  assert.ok((await widthOf(page)) <= 360)
  assert.deepEqual(complaints, [])
  await page.context().close()
})
