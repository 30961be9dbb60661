import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startOwnApi, type TestApi } from '../support/api.js'
import { autoplay, openBrowser } from '../support/browser.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { ask, shoot } from './player-page.js'

let api: TestApi
let browser: Browser
let id: string
before(async () => {
  api = await startOwnApi()
  const worker = openWorker(api)
  const { _id } = await uploadClip(
    api,
    await makeClip({ seconds: 5, size: '640x360' }),
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

  const phone = {
    viewport: { width: 390, height: 780 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  }
  const night = await open({ ...phone, colorScheme: 'dark' })
  await night.page.getByRole('button', { name: /play/i }).first().waitFor()
  await shoot(night.page, 'share-phone')
  assert.equal(await widthOf(night.page), 390)
  await night.page.context().close()
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
  await page.waitForTimeout(300)
  assert.equal(await ask(page, ({ paused }) => paused), false)
  await page.context().close()
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
