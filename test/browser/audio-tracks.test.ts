import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { startOwnApi, type TestApi } from '../support/api.js'
import { autoplay, openBrowser } from '../support/browser.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { until } from '../support/patience.js'
import { ask, focused } from './player-page.js'

const voices = [
  { hertz: 400, language: 'eng', disposition: 'default' },
  { hertz: 1200, language: 'deu' },
  { hertz: 2400, language: 'eng', disposition: 'visual_impaired' },
]

let api: TestApi
let browser: Browser
let worker: { stop(): Promise<void> }
let id: string
before(async () => {
  api = await startOwnApi()
  worker = openWorker(api)
  const clip = await makeClip({ seconds: 24, size: '320x180', rate: '10', container: 'mkv', voices })
  id = (await uploadClip(api, clip, 'Harbour'))._id
  await untilPrepared(api, id)
  browser = await openBrowser(autoplay)
})
after(async () => {
  await browser?.close()
  await worker.stop()
  await api.stop()
})

async function open(context: BrowserContext, more = ''): Promise<{ page: Page; requests: string[] }> {
  const page = await context.newPage()
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.goto(
    `${api.url}/embed/${id}.html?player_key=${api.channel.keys.player}&autoplay=true&loop=true${more}`,
  )
  await until('the film', async () => (await ask(page, ({ currentTime }) => currentTime)) > 0.5)
  return { page, requests }
}

/** The strongest frequency that the page plays now. */
async function frequencyOf(page: Page): Promise<number> {
  return ask(page, (player) => {
    const holder = player as typeof player & { analyser?: AnalyserNode }
    const { video } = player
    if (!video) return 0
    if (!holder.analyser) {
      const context = new AudioContext()
      holder.analyser = context.createAnalyser()
      holder.analyser.fftSize = 8192
      holder.analyser.smoothingTimeConstant = 0
      context.createMediaElementSource(video).connect(holder.analyser)
      holder.analyser.connect(context.destination)
    }
    const { analyser } = holder
    const bins = new Float32Array(analyser.frequencyBinCount)
    analyser.getFloatFrequencyData(bins)
    const loudest = bins.reduce((best, level, index) => (level > (bins[best] ?? -Infinity) ? index : best), 0)
    return (loudest * analyser.context.sampleRate) / analyser.fftSize
  })
}

const untilHeard = (page: Page, hertz: number) =>
  until(`a tone of ${hertz} Hz`, async () => Math.abs((await frequencyOf(page)) - hertz) < 30)

/** Presses Enter on an element, once it is visible and can take the focus. */
async function press(element: Locator): Promise<void> {
  await element.waitFor()
  await until('the focus', async () => {
    await element.focus()
    return element.evaluate((node) => node.matches(':focus'))
  })
  await element.press('Enter')
}

/**
 * Chooses an audio track in the menu, with keys only. A menu moves the focus to its first item once it has opened; an item
 * that is focused before would count as the place to which the focus returns.
 */
async function choose(page: Page, name: string): Promise<void> {
  const menu = page.locator('zoetrope-player media-settings-menu')
  await press(page.locator('zoetrope-player media-settings-menu-button'))
  await until('the focus in the menu', async () => (await focused(page))?.role === 'menuitem')
  await press(page.getByRole('menuitem', { name: /^Audio/ }))
  await until('the focus on a track', async () => (await focused(page))?.role === 'menuitemradio')
  await press(page.getByRole('menuitemradio', { name, exact: true }))
  await until(`${name} in the list of tracks`, async () => (await chosenTrack(page)) === name)
  await until('the end of the menu', async () => {
    await page.keyboard.press('Escape')
    return menu.isHidden()
  })
}

const chosenTrack = (page: Page): Promise<string | undefined> =>
  ask(page, ({ video }) => {
    const { audioTracks = [] } = (video ?? {}) as {
      audioTracks?: Iterable<{ label: string; enabled: boolean }>
    }
    return [...audioTracks].find(({ enabled }) => enabled)?.label
  })

test('viewers choose an audio track, hear it, and hear its language next time', async () => {
  const context = await browser.newContext()
  const { page, requests } = await open(context)
  await untilHeard(page, 400)
  assert.deepEqual(
    requests.filter((path) => /\/audio_\d+\/[^/]+\/\d+\.m4s$/.test(path)),
    [],
    'only the default track is loaded before another is chosen',
  )
  await choose(page, 'German')
  await untilHeard(page, 1200)
  assert.ok(requests.some((path) => /\/audio_2\/[^/]+\/\d+\.m4s$/.test(path)))
  await page.close()

  const again = await open(context)
  await untilHeard(again.page, 1200)
  await choose(again.page, 'English (audio description)')
  await untilHeard(again.page, 2400)
  await again.page.close()

  const described = await open(context)
  await untilHeard(described.page, 2400)
  await choose(described.page, 'English')
  await untilHeard(described.page, 400)
  await context.close()
})

test('an uploaded audio track is offered and heard', async () => {
  const form = new FormData()
  form.set('audio_track[language]', 'fr')
  const path = await makeClip({ seconds: 24, codec: 'none', container: 'm4a', voices: [{ hertz: 3200 }] })
  form.set('file', new Blob([await readFile(path)]), 'fr.m4a')
  const url = `${api.url}/videos/${id}/audio_tracks?api_key=${api.channel.keys.admin}`
  assert.equal((await fetch(url, { method: 'POST', body: form })).status, 201)
  await until('the track', async () => {
    const { response } = await api.as('admin').audio_tracks.list(id)
    return response.some(({ origin, status }) => origin === 'upload' && status === 'ready')
  })
  const master = `${api.url}/manifest/${id}.m3u8?api_key=${api.channel.keys.player}`
  await until('the playlist', async () => (await (await fetch(master)).text()).includes('NAME="French"'))
  const context = await browser.newContext()
  const { page } = await open(context)
  await untilHeard(page, 400)
  await choose(page, 'French')
  await untilHeard(page, 3200)
  await context.close()
})

test('the sound alone has the same audio tracks', async () => {
  const context = await browser.newContext()
  const { page } = await open(context, '&audio=true')
  await untilHeard(page, 400)
  await choose(page, 'German')
  await untilHeard(page, 1200)
  await choose(page, 'English')
  await untilHeard(page, 400)
  await context.close()
})
