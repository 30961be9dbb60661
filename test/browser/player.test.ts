import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until as patiently, untilEqual } from '../support/patience.js'
import { seconds } from './player-clip.js'
import {
  ask,
  clip,
  focused,
  heard,
  openPlayer,
  type PlayerPages,
  shoot,
  startPlayerPages,
  stopPlayerPages,
  until,
} from './player-page.js'

let pages: PlayerPages
const open: (body: string, options?: Parameters<typeof openPlayer>[2]) => ReturnType<typeof openPlayer> = (
  body,
  options,
) => openPlayer(pages, body, options)

before(async () => {
  pages = await startPlayerPages()
})
after(() => stopPlayerPages(pages))

test('it shows the poster, fetches little before play, and then plays without a stall', async () => {
  const page = await open(clip('storyboard="/clip/storyboard.vtt"'))
  await until(page, 'video.readyState >= 3')
  await page.waitForTimeout(500)
  assert.ok(await page.locator('zoetrope-player .poster').isVisible())
  assert.ok(
    !pages.server.requests.some((path) => /\/[4-9]\.m4s$/.test(path)),
    pages.server.requests.join(' '),
  )
  await shoot(page, 'poster-desktop')

  await page.locator('zoetrope-player .big-play').click()
  await until(page, 'video.currentTime > 3')

  assert.deepEqual(await heard(page), ['ready', 'play'])
  assert.equal(await page.locator('zoetrope-player media-settings-menu-item.chapters').isVisible(), false)
  assert.ok(Math.abs((await ask(page, ({ duration }) => duration)) - seconds) < 0.5)
  const times = page.locator('zoetrope-player zoetrope-time-display')
  assert.match(
    await times.evaluate(({ shadowRoot }) => shadowRoot?.querySelector('slot')?.textContent ?? ''),
    /0:32$/,
  )
  // Keys still work, although the clicked button is gone.
  await page.keyboard.press('m')
  await until(page, 'video.muted')
  await page.keyboard.press('Space')
  await until(page, 'video.paused')
  // The controls learn of it a moment later, and the next key follows what they know.
  await page.locator('zoetrope-player media-controller[mediapaused]').waitFor()
  await page.keyboard.press('k')
  await until(page, '!video.paused')
  assert.ok(await page.locator('zoetrope-player .poster').isHidden())
  await page.mouse.move(400, 300)
  await page.mouse.move(410, 310)
  await shoot(page, 'playing-desktop')
  await page.context().close()
})

const chapters = JSON.stringify([
  { start: 16, title: 'Boats & <gulls>' },
  { start: 0, title: 'The quay' },
]).replaceAll('"', '&quot;')

test('it seeks to 90 per cent on the scrub bar, with a picture and the chapter above it', async () => {
  const page = await open(clip(`storyboard="/clip/storyboard.vtt" chapters="${chapters}" autoplay muted`))
  await until(page, 'video.currentTime > 0.5')
  // Otherwise a slow machine finds the film at its end.
  await ask(page, (player) => player.pause())
  const box = await page.locator('zoetrope-player media-time-range').boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2)
  const picture = page.locator('zoetrope-player media-preview-thumbnail[mediapreviewimage*="sprite.jpg"]')
  await picture.waitFor({ state: 'attached' })
  await untilEqual(() => picture.getAttribute('mediapreviewcoords'), '480 0 160 90')
  const chapter = page.locator('zoetrope-player media-preview-chapter-display')
  await untilEqual(() => chapter.getAttribute('mediapreviewchapter'), 'Boats & <gulls>')
  await page.waitForFunction(
    (range) => range?.shadowRoot?.querySelectorAll('#segments-clipping rect').length === 2,
    await page.locator('zoetrope-player media-time-range').elementHandle(),
  )
  await shoot(page, 'scrubbing-desktop')

  await page.mouse.click(box.x + box.width * 0.9, box.y + box.height / 2)
  await until(page, `video.currentTime > ${seconds * 0.85} && !video.seeking && video.readyState >= 3`)
  const position = page.locator('zoetrope-player media-time-range input')
  await page.waitForFunction(
    (input) => /of 32 seconds, Boats & <gulls>$/.test(input?.getAttribute('aria-valuetext') ?? ''),
    await position.elementHandle(),
  )

  // The menu lists the chapters too, for keyboard and touch.
  await page.locator('zoetrope-player media-settings-menu-button').focus()
  await page.keyboard.press('Enter')
  await page.locator('zoetrope-player media-settings-menu-item.chapters').focus()
  await page.keyboard.press('Enter')
  const second = page.getByRole('menuitemradio', { name: /^Boats & <gulls>/ })
  await second.waitFor()
  await untilEqual(() => second.getAttribute('aria-checked'), 'true')
  // The menu opens at the current chapter.
  await patiently('the focus on the chapter', async () => (await focused(page))?.word === 'Boats')
  await page.keyboard.press('ArrowUp')
  await patiently('the focus on the first chapter', async () => (await focused(page))?.word === 'The')
  await page.keyboard.press('Enter')
  await until(page, 'video.currentTime < 8 && !video.seeking')

  assert.deepEqual((await heard(page)).sort(), ['play', 'ready'])
  await page.context().close()
})

test('the rung is chosen in the quality menu, where each stands once, and playback goes on', async () => {
  const page = await open(clip('autoplay muted'))
  await until(page, 'video.currentTime > 0.5')

  for (const height of [180, 360, 180]) {
    await page.locator('zoetrope-player media-settings-menu-button').click()
    await page.locator('zoetrope-player media-settings-menu-item', { hasText: 'Quality' }).click()
    await page.waitForTimeout(300)
    if (height === 360) await shoot(page, 'quality-desktop')
    await page.getByRole('menuitemradio', { name: `${height}p`, exact: true }).click()
    await until(page, `video.videoHeight === ${height}`)
    await page.keyboard.press('Escape')
  }

  assert.deepEqual((await heard(page)).sort(), ['play', 'ready'])
  assert.equal(await ask(page, ({ paused }) => paused), false)
  await page.context().close()
})

test('captions are shown with a key, and their button says so', async () => {
  const page = await open(clip('autoplay muted'))
  await until(page, 'video.currentTime > 0.5 && video.textTracks.length > 0')
  const button = page.locator('zoetrope-player media-captions-button')
  assert.equal(await button.getAttribute('aria-checked'), 'false')

  await ask(page, (player) => player.focus())
  await page.keyboard.press('c')
  await until(
    page,
    `[...video.textTracks].some((track) => track.mode === 'showing' && track.activeCues?.length)`,
  )

  await untilEqual(() => button.getAttribute('aria-checked'), 'true')
  await page.mouse.move(400, 300)
  await page.mouse.move(410, 310)
  await shoot(page, 'captions-desktop')
  assert.deepEqual((await heard(page)).sort(), ['play', 'ready'])
  await page.context().close()
})

test('keys play, pause, seek, mute', async () => {
  const page = await open(clip())
  await until(page, 'video.readyState >= 3')
  await ask(page, (player) => player.focus())

  await page.keyboard.press('Space')
  await until(page, '!video.paused && video.currentTime > 0.2')
  await page.keyboard.press('Space')
  await until(page, 'video.paused')
  const before = await ask(page, ({ currentTime }) => currentTime)
  await page.keyboard.press('ArrowRight')
  await until(page, `Math.abs(video.currentTime - ${before + 5}) < 0.5`)
  await page.keyboard.press('ArrowLeft')
  await until(page, `Math.abs(video.currentTime - ${before}) < 0.5`)
  await page.keyboard.press('m')
  await until(page, 'video.muted')

  assert.ok(!(await heard(page)).some((name) => name.startsWith('error')))
  await page.context().close()
})

test('the position is remembered, but not near the beginning and the end', async () => {
  const page = await open(clip('video-id="harbour"'))
  const reload = async () => {
    await page.reload()
    await until(page, 'video.readyState >= 2')
    return ask(page, ({ currentTime }) => currentTime)
  }
  const seek = async (to: number) => {
    await until(page, 'video.readyState >= 2')
    await page.evaluate(`document.querySelector('zoetrope-player').currentTime = ${to}`)
    await until(page, `!video.seeking && Math.abs(video.currentTime - ${to}) < 0.1`)
  }

  await seek(5)
  assert.equal(await reload(), 0)
  await seek(16)
  assert.ok(Math.abs((await reload()) - 16) < 0.2)
  await seek(seconds - 3)
  assert.equal(await reload(), 0)
  await page.context().close()
})

test('it fires an event for each ad break, and waits if the page prevents the default', async () => {
  const tag = 'https://ads.example/vast?a=1&b=2'
  const ads = JSON.stringify([0, 1000, 20_000, 25_000].map((offset) => ({ offset, tag }))).replaceAll(
    '"',
    '&quot;',
  )
  const page = await open(clip(`ads="${ads}" muted`))
  await until(page, 'video.readyState >= 3')
  await page.evaluate(`window.breaks = []
    document.querySelector('zoetrope-player').addEventListener('adbreak', (event) => {
      breaks.push(event.detail)
      if (event.detail.offset === 0) event.preventDefault()
    })`)
  const breaks = () => page.evaluate('window.breaks') as Promise<{ offset: number; tag: string }[]>
  await ask(page, (player) => player.play().catch(() => undefined))
  await until(page, 'video.paused')
  assert.deepEqual(await breaks(), [{ offset: 0, tag }])
  await ask(page, (player) => player.play())
  await until(page, 'video.currentTime > 1.5')
  await page.evaluate(`document.querySelector('zoetrope-player').currentTime = 26`)
  await until(page, '!video.seeking && video.currentTime > 26.3')
  assert.deepEqual(
    (await breaks()).map(({ offset }) => offset),
    [0, 1, 25],
  )
  await page.context().close()
})

test('it reports each play to another site: its beginning, what was watched of it, its end', async () => {
  const told: { play: string; watched: number; ended: boolean }[] = []
  const methods = new Set<string>()
  pages.server.answer('/plays', (request, response) => {
    methods.add(request.method ?? '')
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      told.push(JSON.parse(Buffer.concat(chunks).toString()))
      response.writeHead(204).end()
    })
  })
  const untilTold = async (count: number) => {
    await patiently('The report of a play', () => told.length >= count)
    assert.equal(told.length, count, JSON.stringify(told))
  }
  const page = await open(clip(`beacon="${pages.server.elsewhere}/plays" muted`))
  await until(page, 'video.readyState >= 3')
  assert.equal(told.length, 0)
  await ask(page, (player) => player.play())
  await until(page, 'video.currentTime > 1.6')
  await untilTold(1)
  await ask(page, (player) => player.pause())
  await untilTold(2)
  await page.waitForTimeout(500)
  await page.evaluate(`document.querySelector('zoetrope-player').currentTime = ${seconds - 1}`)
  await until(page, '!video.seeking')
  await ask(page, (player) => player.play())
  await until(page, 'video.currentTime > video.duration - 0.2')
  await untilTold(3)
  await page.evaluate(`document.querySelector('zoetrope-player').currentTime = 0`)
  await ask(page, (player) => player.play())
  await untilTold(4)

  const [begun, paused, ended, again] = told
  assert.ok(begun && paused && ended && again)
  assert.deepEqual([begun.play, begun.play], [paused.play, ended.play])
  assert.notEqual(again.play, begun.play)
  assert.deepEqual(
    told.map((each) => each.ended),
    [false, false, true, false],
  )
  assert.deepEqual([begun.watched < 0.5, again.watched < 0.5], [true, true])
  assert.ok(paused.watched > 1 && paused.watched < 4, String(paused.watched))
  const lastPart = ended.watched - paused.watched
  assert.ok(lastPart > 0.5 && lastPart < 3, String(lastPart))
  assert.deepEqual([...methods], ['POST'])
  pages.server.answer('/plays', undefined)
  await page.context().close()
})
