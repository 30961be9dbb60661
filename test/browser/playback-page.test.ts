import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
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
    await makeClip({ seconds: 5, size: '640x360', rate: '10' }),
    'Harbour',
  )
  id = _id
  await untilPrepared(api, id)
  await worker.stop()
  browser = await openBrowser(autoplay)
})
after(async () => {
  await browser?.close()
  await api.stop()
})

/** Opens a page, and collects the errors that it reports. */
async function newPage(): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width: 800, height: 450 } })
  const complaints: string[] = []
  page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, complaints }
}

/** Waits until the video has played this far. Polls, because the page's CSP forbids evaluating text. */
async function untilPlayed(page: Page, seconds: number): Promise<void> {
  for (let tries = 0; tries < 1500; tries += 1) {
    if ((await ask(page, ({ currentTime }) => currentTime ?? 0)) >= seconds) return
    await page.waitForTimeout(100)
  }
  throw new Error(`It has not come to ${seconds} s`)
}

const address = (suffix: string) =>
  `${api.url}/embed/${id}.${suffix}?player_key=${api.channel.keys.player}&autoplay=true&muted=true`

test('the page of a video plays it within its policy, and fills its frame', async () => {
  const { page, complaints } = await newPage()
  await page.goto(address('html'))
  await untilPlayed(page, 4.9)
  await shoot(page, 'embed-page')
  const box = await page.locator('zoetrope-player').boundingBox()
  assert.deepEqual([box?.width, box?.height], [800, 450])
  assert.deepEqual(complaints, [])
  await page.close()
})

test('without a picture the controls stay to be seen', async () => {
  const { page, complaints } = await newPage()
  await page.goto(`${address('html')}&audio=true`)
  await untilPlayed(page, 4)
  assert.equal(await page.locator('media-controller').getAttribute('userinactive'), null)
  assert.deepEqual(complaints, [])
  await page.close()
})

test('the script of a video fills its element on a page of another origin', async () => {
  const elsewhere = createServer((_request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>x</title><link rel="icon" href="data:,">
        <div id="zype_${id}"></div><script src="${address('js')}"></script>`),
  )
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  const { page, complaints } = await newPage()
  await page.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}`)
  await page.locator(`#zype_${id} > zoetrope-player`).waitFor()
  await untilPlayed(page, 1)
  assert.deepEqual(complaints, [])
  await page.close()
  elsewhere.close()
})

test('a refused video is a page with a sentence', async () => {
  const { page } = await newPage()
  const reply = await page.goto(
    `${api.url}/embed/${'f'.repeat(24)}.html?player_key=${api.channel.keys.player}`,
  )
  assert.equal(reply?.status(), 404)
  await page.getByText('Video not found').waitFor()
  await shoot(page, 'embed-refused')
  await page.close()
})
