import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startOwnApi, type TestApi } from '../support/api.js'
import { openBrowser } from '../support/browser.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'

let api: TestApi
let worker: { stop(): Promise<void> }
let browser: Browser
let videoId: string
before(async () => {
  execFileSync(process.execPath, ['scripts/build-player.mjs'])
  api = await startOwnApi()
  worker = openWorker(api)
  const clip = await makeClip({ seconds: 12, size: '640x360', rate: '10' })
  const { _id } = await uploadClip(api, clip, 'A film to watch')
  videoId = (await untilPrepared(api, _id))._id
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await worker.stop()
  await api.stop()
})

/** Returns the state of the player's video element. */
const state = () => {
  const { video } = document.querySelector('zoetrope-player') as unknown as { video: HTMLVideoElement }
  return { at: video.currentTime, width: video.videoWidth, duration: video.duration, ended: video.ended }
}

test('a film that was just uploaded plays in its page, and where a viewer jumps to', async () => {
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('response', (reply) => {
    if (reply.status() >= 400 && !reply.url().endsWith('/favicon.ico')) problems.push(reply.url())
  })
  await page.goto(`${api.url}/embed/${videoId}.html?api_key=${api.channel.keys.player}`)
  await page.waitForSelector('zoetrope-player')
  await page.evaluate(async () => {
    const { video } = document.querySelector('zoetrope-player') as unknown as { video: HTMLVideoElement }
    video.muted = true
    await video.play()
  })
  await page.waitForFunction(
    () =>
      (document.querySelector('zoetrope-player') as unknown as { video: HTMLVideoElement }).video
        .currentTime > 1,
  )
  assert.ok((await page.evaluate(state)).width > 0)

  await page.evaluate(() => {
    const { video } = document.querySelector('zoetrope-player') as unknown as { video: HTMLVideoElement }
    video.currentTime = video.duration * 0.9
  })
  await page.waitForFunction(() => {
    const { video } = document.querySelector('zoetrope-player') as unknown as { video: HTMLVideoElement }
    return video.ended || video.currentTime > video.duration * 0.95
  })
  assert.ok(Math.abs((await page.evaluate(state)).duration - 12) < 0.2)
  assert.deepEqual(problems, [])
  await page.close()
})

test('the snippet plays it on a page of another origin', async () => {
  const html = `<!doctype html><title>Elsewhere</title><div data-zoetrope-video="${videoId}" data-zoetrope-key="${api.channel.keys.player}" data-muted data-autoplay></div><script async src="${api.url}/zoetrope-player.js"></script>`
  const server = createServer((_request, reply) => reply.setHeader('content-type', 'text/html').end(html))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const page = await browser.newPage()
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
  await page.waitForFunction(() => {
    const player = document.querySelector('zoetrope-player') as unknown as { video?: HTMLVideoElement } | null
    return (player?.video?.currentTime ?? 0) > 0.5
  })
  await page.close()
  server.close()
})

test('a video that is not there, or not for this key, is refused with a friendly page', async () => {
  const page = await browser.newPage()
  const answer = await page.goto(`${api.url}/embed/${'0'.repeat(24)}.html?api_key=${api.channel.keys.player}`)
  assert.equal(answer?.status(), 404)
  await page.close()
})
