import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  ask,
  clip,
  notice,
  openPlayer,
  type PlayerPages,
  phone,
  shoot,
  startPlayerPages,
  stopPlayerPages,
  until,
  wake,
} from './player-page.js'

let pages: PlayerPages

before(async () => {
  pages = await startPlayerPages()
  const { server } = pages
  server.answer('/embed/65f0.json', ({ url = '' }, response) => {
    const { searchParams } = new URL(url, server.elsewhere)
    const [autoplay, muted, start] = ['autoplay', 'muted', 'start'].map((name) => searchParams.get(name))
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        response: {
          video: {
            title: 'Harbour',
            thumbnails: [{ url: `${server.elsewhere}/clip/poster.jpg`, width: 960 }],
          },
          body: { outputs: [{ name: 'm3u8', url: `${server.elsewhere}/clip/master.m3u8` }] },
          player: { color: '#cc5500', autoplay: autoplay === 'true', muted: muted === 'true', start },
        },
      }),
    )
  })
  server.answer('/embed/65f1.json', (_request, response) =>
    response.writeHead(403).end(JSON.stringify({ message: 'Not in your country.' })),
  )
})
after(() => stopPlayerPages(pages))

test('a page of another origin embeds a video with one element and one script', async () => {
  const { server, browser } = pages
  const page = await browser.newPage()
  await page.goto(
    server.page(`<div data-zoetrope-video="65f0" data-zoetrope-key="k" data-autoplay data-muted data-start="3"></div>
      <script async src="${server.elsewhere}/zoetrope-player.js"></script>`),
  )
  await page.locator('zoetrope-player').waitFor()
  await until(page, 'video.currentTime > 4')

  const player = page.locator('zoetrope-player')
  assert.equal(await player.getAttribute('title'), 'Harbour')
  assert.equal(await player.getAttribute('accent'), '#cc5500')
  await page.close()
})

test('a refused video is told on the page that embeds it', async () => {
  const { server, browser } = pages
  const page = await browser.newPage()
  await page.goto(
    server.page(`<div data-zoetrope-video="65f1" data-zoetrope-key="k"></div>
      <script async src="${server.elsewhere}/zoetrope-player.js"></script>`),
  )

  await notice(page).getByText('Not in your country.').waitFor()
  await page.close()
})

test('snippets that run before the script, and after it, fill the elements they name', async () => {
  const { server, browser } = pages
  const page = await browser.newPage()
  const options = (videoId: string) =>
    JSON.stringify({ videoId, src: `${server.elsewhere}/clip/master.m3u8`, title: videoId })
  await page.goto(
    server.page(`<div id="zype_early"></div><div id="zype_late"></div>
      <script>(window.zoetropeEmbeds ??= []).push(${options('early')})</script>
      <script src="${server.elsewhere}/zoetrope-player.js"></script>
      <script>window.zoetropeEmbeds.push(${options('late')})</script>`),
  )

  await page.locator('#zype_early > zoetrope-player').waitFor()
  await page.locator('#zype_late > zoetrope-player').waitFor()
  assert.equal(await page.locator('#zype_late > zoetrope-player').getAttribute('title'), 'late')
  await page.close()
})

test('as a module it offers embed, which sets up the player that is there', async () => {
  const { server, browser } = pages
  const page = await browser.newPage()
  await page.goto(
    server.page(`<zoetrope-player></zoetrope-player><script type="module">
      import { embed } from '/zoetrope-player.mjs'
      embed(document.querySelector('zoetrope-player'), { src: '/clip/master.m3u8', start: 4 })
    </script>`),
  )

  await until(page, 'video?.readyState >= 2 && Math.abs(video.currentTime - 4) < 0.3')
  assert.equal(await page.locator('zoetrope-player').count(), 1)
  await page.close()
})

test('the box has its shape before the video is known, and nothing below it moves', async () => {
  const page = await openPlayer(pages, `${clip()}<p id="below">Below</p>`)
  const below = page.locator('#below')
  const before = await below.boundingBox()
  await until(page, 'video.readyState >= 3')

  assert.deepEqual(await below.boundingBox(), before)
  await page.context().close()
})

test('on a phone it is used by touch', async () => {
  const page = await openPlayer(pages, clip('muted'), phone)
  await until(page, 'video.readyState >= 3')
  await shoot(page, 'poster-phone')
  await page.locator('zoetrope-player .big-play').tap()
  await until(page, 'video.currentTime > 4')
  await page.touchscreen.tap(200, 80)
  await page.waitForTimeout(500)
  await shoot(page, 'playing-phone')
  assert.equal(await ask(page, ({ paused }) => paused), false)
  await page.locator('zoetrope-player media-settings-menu-button').tap()
  await shoot(page, 'menu-phone')
  await page.context().close()
})

for (const width of [240, 390])
  test(`nothing overflows at ${width} pixels, in any state`, async () => {
    const size = { ...phone, viewport: { width, height: Math.round((width * 9) / 16) } }
    const long =
      'The publisher has taken this video down because its licence ended; it may come back in autumn.'
    const { server } = pages
    server.answer('/preparing', (_request, response) =>
      response.end(JSON.stringify({ status: 'processing', progress: 41 })),
    )
    const bodies = {
      poster: clip(),
      preparing: `<zoetrope-player status-url="/preparing" poster="/clip/poster.jpg"></zoetrope-player>`,
      network: `<zoetrope-player problem="network" poster="/clip/poster.jpg"></zoetrope-player>`,
      removed: `<zoetrope-player problem="removed" message="${long}"></zoetrope-player>`,
    }
    for (const [name, body] of Object.entries(bodies)) {
      const page = await openPlayer(pages, body, size)
      if (name !== 'poster') await notice(page).waitFor()
      else {
        await until(page, 'video.readyState >= 3')
        await wake(page)
      }
      await shoot(page, `${name}-${width}`)
      const overflow = await ask(page, ({ shadowRoot }) =>
        [...(shadowRoot?.querySelectorAll<HTMLElement>('.buttons, .notice, .words') ?? [])]
          .filter((box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight)
          .map(({ className }) => className),
      )
      assert.deepEqual(overflow, [], name)
      await page.context().close()
    }
  })
