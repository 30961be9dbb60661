import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { barriersOn, overflowOf } from '../support/dashboard.js'
import { until as patiently } from '../support/patience.js'
import {
  ask,
  clip,
  focused,
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
const open: (body: string, options?: Parameters<typeof openPlayer>[2]) => ReturnType<typeof openPlayer> = (
  body,
  options,
) => openPlayer(pages, body, options)

const vtt = `WEBVTT

00:00:01.000 --> 00:00:04.000
Boats in the <i>harbour</i>

00:00:10.000 --> 00:00:14.000
Gulls,
and a bell

00:00:20.000 --> 00:00:24.000
The boats come home
`

before(async () => {
  pages = await startPlayerPages()
  pages.server.answer('/lines.vtt', (_request, response) =>
    response.setHeader('content-type', 'text/vtt').end(vtt),
  )
})
after(() => stopPlayerPages(pages))

const part = (page: Page, selector: string) => page.locator(`zoetrope-player ${selector}`)

/** A closed dialog returns the focus a moment later. */
const untilFilmFocused = (page: Page) =>
  patiently('the focus on the film', () =>
    ask(page, ({ shadowRoot }) => shadowRoot?.activeElement?.localName === 'media-controller'),
  )

/** Opens the menu and chooses an item without a submenu, with keys only. */
async function choose(page: Page, name: RegExp): Promise<void> {
  await part(page, 'media-settings-menu-button').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name }).focus()
  await page.keyboard.press('Enter')
}

test('the script is smaller than 200 KB, compressed', async (context) => {
  const script = Buffer.from(await (await fetch(`${pages.server.origin}/zoetrope-player.js`)).arrayBuffer())
  const size = gzipSync(script, { level: 9 }).length
  context.diagnostic(`The player has ${size} bytes, compressed; its budget is 200000.`)
  assert.ok(size < 200_000, `${size} bytes`)
})

test('keys work after a click on any button: digits, Home and End too', async () => {
  const page = await open(clip('autoplay muted'))
  await until(page, 'video.currentTime > 0.3')
  await wake(page)
  await part(page, '.buttons media-captions-button').click()
  await page.keyboard.press('Space')
  await until(page, 'video.paused')
  await part(page, 'media-time-range').click()
  for (const [key, seconds] of [
    ['5', 16],
    ['9', 28.8],
    ['Home', 0],
    ['End', 31.5],
    ['0', 0],
  ] as const) {
    await page.keyboard.press(key)
    await until(page, `Math.abs(video.currentTime - ${seconds}) < 0.3 && !video.seeking`)
  }
  await part(page, 'media-settings-menu-button').click()
  await part(page, 'media-settings-menu-item').filter({ hasText: 'Speed' }).click()
  await page.getByRole('menuitemradio', { name: '1.5x' }).click()
  await until(page, 'video.playbackRate === 1.5')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('k')
  await until(page, '!video.paused')
  await page.context().close()
})

test('a question mark shows the keys, and Escape returns to the film', async () => {
  const page = await open(clip('autoplay muted'))
  await until(page, 'video.currentTime > 0.3')
  await ask(page, (player) => player.focus())
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.waitFor()
  assert.deepEqual(await barriersOn(page), [])
  await shoot(page, 'keys-desktop')
  await page.keyboard.press('k')
  assert.equal(await ask(page, ({ paused }) => paused), false)
  await page.keyboard.press('Escape')
  await untilFilmFocused(page)
  await page.keyboard.press('k')
  await until(page, 'video.paused')
  await choose(page, /Keyboard shortcuts/)
  await sheet.waitFor()
  await page.context().close()
})

for (const reducedMotion of ['no-preference', 'reduce'] as const)
  test(`the settings menu takes the focus, and keys reach every item (motion: ${reducedMotion})`, async () => {
    const page = await open(clip('autoplay muted'), { reducedMotion })
    await until(page, 'video.currentTime > 0.3')
    await part(page, 'media-settings-menu-button').focus()
    await page.keyboard.press('Enter')
    const first = await patiently('the focus in the menu', async () => {
      const { role, word } = (await focused(page)) ?? {}
      return role === 'menuitem' && word
    })
    assert.equal(await part(page, 'media-controller').getAttribute('autohide'), '-1', 'the controls stay')
    const words = [first]
    do {
      await page.keyboard.press('ArrowDown')
      words.push((await focused(page))?.word ?? '')
    } while (words.at(-1) !== first && words.length < 20)
    assert.deepEqual(words, ['Quality', 'Speed', 'Captions', 'Caption', 'Keyboard', 'Quality'])
    await page.keyboard.press('Escape')
    await patiently('the focus on the button', async () => (await focused(page))?.role === 'button')
    assert.equal(await part(page, 'media-controller').getAttribute('autohide'), '2')
    await page.context().close()
  })

test('an item that somebody chose while the menu was opening keeps the focus', async () => {
  const page = await open(clip('autoplay muted'))
  await until(page, 'video.currentTime > 0.3')
  const menu = part(page, 'media-settings-menu')
  await part(page, 'media-settings-menu-button').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Caption style' }).focus()
  // What the browser does at the end of the animation, which may be over already.
  await menu.evaluate((element) => element.dispatchEvent(new Event('transitionend')))
  assert.equal((await focused(page))?.word, 'Caption')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Caption style' }).waitFor()
  await page.context().close()
})

test('on its own page the player has the keys while nothing else has the focus', async () => {
  const page = await open(`<p>Words</p><input aria-label="Name">${clip('muted page-keys')}`)
  await until(page, 'video.readyState >= 3')
  await page.getByText('Words').click()
  await page.keyboard.press('5')
  await until(page, 'Math.abs(video.currentTime - 16) < 0.3')
  await page.keyboard.press('k')
  await until(page, '!video.paused')
  await page.getByRole('textbox', { name: 'Name' }).click()
  await page.keyboard.type('k5?')
  assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'k5?')
  assert.equal(await ask(page, ({ paused }) => paused), false)
  await page.context().close()
})

const shownCaptions = `[...video.textTracks].find(({ kind, mode }) => kind === 'subtitles' && mode === 'showing')`

test('the look of captions, captions and speed are remembered', async () => {
  const page = await open(clip('autoplay muted'))
  await until(page, 'video.currentTime > 0.3 && video.textTracks.length > 0')
  await choose(page, /Caption style/)
  const dialog = page.getByRole('dialog', { name: 'Caption style' })
  await dialog.getByLabel('Size').selectOption('Large')
  await dialog.getByLabel('Colour').selectOption('Yellow')
  await dialog.getByLabel('Background').selectOption('None')
  assert.deepEqual(await barriersOn(page), [])
  await shoot(page, 'caption-style-desktop')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await untilFilmFocused(page)
  await page.keyboard.press('c')
  await until(page, shownCaptions)
  await page.keyboard.press('>')
  await until(page, 'video.playbackRate === 1.25')
  await wake(page)
  await shoot(page, 'captions-yellow-desktop')

  await page.reload()
  await until(page, `${shownCaptions}?.activeCues?.length`)
  await until(page, 'video.playbackRate === 1.25')
  const css = await part(page, '.cue-style').evaluate(({ textContent }) => textContent)
  assert.match(css ?? '', /font-size:150%;background:transparent;color:#ffe14d/)
  await ask(page, (player) => player.focus())
  await page.keyboard.press('c')
  await until(page, `!${shownCaptions}`)
  await page.reload()
  await until(page, 'video.currentTime > 0.3 && video.textTracks.length > 0')
  await until(page, `!${shownCaptions}`)
  await page.context().close()
})

test('where storage is denied everything works, and is forgotten', async () => {
  const inner = `${clip('autoplay muted')}<script src="${pages.server.origin}/zoetrope-player.js"></script>`
  const page = await pages.browser.newPage()
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  const frameOf = (body: string) =>
    `<iframe sandbox="allow-scripts" width="800" height="450" src="${pages.server.page(body)}"></iframe>`
  await page.goto(pages.server.page(frameOf(inner)))
  const frame = page.frames().find((each) => each !== page.mainFrame())
  assert.ok(frame)
  const player = `document.querySelector('zoetrope-player')`
  await frame.waitForFunction(`${player}?.video?.currentTime > 0.3 && ${player}.video.textTracks.length > 0`)
  assert.equal(await frame.evaluate(`(() => { try { return !localStorage } catch { return true } })()`), true)
  await frame.evaluate(`${player}.focus()`)
  await page.frameLocator('iframe').locator('zoetrope-player media-settings-menu-button').click()
  await page.frameLocator('iframe').locator('zoetrope-player media-settings-menu-item.captions').click()
  await page.frameLocator('iframe').getByRole('menuitemradio', { name: 'English' }).click()
  await frame.waitForFunction(`(({ video }) => ${shownCaptions})(${player})`)
  assert.deepEqual(complaints, [])
  await page.close()
})

test('a film of sound alone shows artwork, also on a phone', async () => {
  const body = `<zoetrope-player src="/clip/audio/index.m3u8" poster="/clip/poster.jpg" title="A podcast"></zoetrope-player>`
  const page = await open(body)
  await until(page, 'video.readyState >= 2')
  await part(page, '.cover').waitFor()
  await ask(page, (player) => player.focus())
  await page.keyboard.press('k')
  await until(page, 'video.currentTime > 0.3')
  assert.equal(await part(page, '.cover').isVisible(), true)
  await shoot(page, 'audio-desktop')
  await page.context().close()
  const small = await open(body.replace('poster="/clip/poster.jpg"', 'audio'), phone)
  await part(small, '.note').waitFor()
  assert.equal(await part(small, '.cover').isVisible(), false)
  await until(small, 'video.readyState >= 2')
  await shoot(small, 'audio-phone')
  await small.context().close()
})

const subtitles = JSON.stringify([
  { file: '/lines.vtt', label: 'English', language: 'en' },
  { file: '/missing.vtt', label: 'Deutsch', language: 'de' },
]).replaceAll('"', '&quot;')

test('the transcript beside the film leads to its lines, follows it, and can be searched', async () => {
  const page = await open(clip(`muted subtitles="${subtitles}"`))
  await until(page, 'video.readyState >= 3')
  await wake(page)
  const transcript = page.getByRole('region', { name: 'Transcript' })
  assert.equal(await transcript.isVisible(), false)
  await part(page, '.transcript-button').click()
  await transcript.getByRole('button', { name: 'Boats in the harbour' }).waitFor()
  const [film, panel] = [await part(page, 'video').boundingBox(), await transcript.boundingBox()]
  assert.ok(film && panel && panel.x >= film.x + film.width - 1)

  await transcript.getByRole('button', { name: /Gulls, and a bell/ }).click()
  await until(page, 'Math.abs(video.currentTime - 10) < 0.3')
  await transcript.locator('[aria-current]', { hasText: 'Gulls' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await until(page, 'Math.abs(video.currentTime - 20) < 0.3')

  await transcript.getByRole('searchbox').fill('BOATS')
  await transcript.getByText('2 lines found').waitFor()
  assert.deepEqual(await transcript.locator('mark').allTextContents(), ['Boats', 'boats'])
  assert.deepEqual(await barriersOn(page), [])
  await shoot(page, 'transcript-desktop')
  await page.keyboard.press('Enter')
  await until(page, 'Math.abs(video.currentTime - 1) < 0.3')
  await transcript.getByLabel('Language').selectOption('Deutsch')
  await transcript.getByText('The transcript could not be loaded.').waitFor()
  await transcript.getByRole('button', { name: 'Close the transcript' }).click()
  await transcript.waitFor({ state: 'hidden' })
  await page.keyboard.press('5')
  await until(page, 'Math.abs(video.currentTime - 16) < 0.3')
  await page.context().close()
})

test('on a phone the transcript is below the film', async () => {
  const page = await open(clip(`muted transcript subtitles="${subtitles}"`), {
    ...phone,
    viewport: { width: 390, height: 780 },
  })
  const transcript = page.getByRole('region', { name: 'Transcript' })
  await transcript.getByRole('button', { name: 'Boats in the harbour' }).waitFor()
  const [film, panel] = [await part(page, 'video').boundingBox(), await transcript.boundingBox()]
  assert.ok(film && panel && panel.y >= film.y + film.height - 1 && panel.width === 390)
  assert.ok(Math.abs(film.width / film.height - 16 / 9) < 0.05)
  assert.equal(await overflowOf(page), 0)
  await shoot(page, 'transcript-phone')
  await page.context().close()
})

test('the menu copies a link to the present second', async () => {
  const page = await open(clip('muted start="12" share-url="/watch/harbour?color=112233"'), {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await until(page, 'video.readyState >= 3 && video.currentTime > 11.9')
  await choose(page, /Copy link at 0:12/)
  await part(page, '.toast').getByText('Link copied').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.equal(copied, `${pages.server.origin}/watch/harbour?color=112233&t=12s`)
  // Nothing to send it to here, so there are no buttons for that.
  for (const name of ['airplay', 'cast'])
    assert.equal(await part(page, `media-${name}-button`).isVisible(), false, name)
  await page.context().close()
})
