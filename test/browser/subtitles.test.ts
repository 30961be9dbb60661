import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startOwnApi, type TestApi } from '../support/api.js'
import { autoplay, openBrowser } from '../support/browser.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { ask, shoot } from './player-page.js'

const srt = `1
00:00:00,000 --> 00:00:02,000
Good <i>morning</i>!

2
00:00:02,000 --> 00:00:04,500
This is the <b>harbour</b>,
1 < 2 & <script>no script</script>.
`
let api: TestApi
let browser: Browser
let id: string
before(async () => {
  api = await startOwnApi()
  const worker = openWorker(api)
  id = (await uploadClip(api, await makeClip({ seconds: 5, size: '640x360', rate: '10' }), 'Harbour'))._id
  await untilPrepared(api, id)
  await worker.stop()
  const file = Buffer.from(srt).toString('base64')
  const { subtitles } = api.as('admin')
  await subtitles.create(id, { language: 'en', file })
  await subtitles.create(id, {
    language: 'de',
    file: Buffer.from(srt.replace('Good', 'Guten')).toString('base64'),
  })
  browser = await openBrowser(autoplay)
})
after(async () => {
  await browser?.close()
  await api.stop()
})

interface Shown {
  readonly at: number
  readonly label: string
  readonly cues: readonly { readonly start: number; readonly end: number; readonly text: string }[]
}

/** Returns the subtitles that the video shows at this moment. */
const shown = (page: Page): Promise<Shown[]> =>
  ask(page, ({ video }) =>
    [...(video?.textTracks ?? [])]
      .filter(({ kind, mode }) => kind === 'subtitles' && mode === 'showing')
      .map(({ label, activeCues }) => ({
        at: video?.currentTime ?? 0,
        label,
        cues: [...(activeCues ?? [])].map((cue) => {
          const { startTime, endTime, text } = cue as VTTCue
          return { start: startTime, end: endTime, text }
        }),
      })),
  )

async function jump(page: Page, seconds: number): Promise<Shown[]> {
  await ask(page, (player) => player.pause())
  await page.$eval(
    'zoetrope-player',
    (player, to) => {
      ;(player as unknown as { currentTime: number }).currentTime = to as number
    },
    seconds,
  )
  for (let tries = 0; tries < 1000; tries += 1) {
    const tracks = await shown(page)
    const isThere = ({ at, cues }: Shown) => cues.some(({ start, end }) => start <= at && at < end)
    if (tracks.some((track) => Math.abs(track.at - seconds) < 0.1 && isThere(track))) return tracks
    await page.waitForTimeout(50)
  }
  return shown(page)
}

test('a viewer chooses captions from the menu, and sees them at their times', async () => {
  const page = await browser.newPage({ viewport: { width: 800, height: 450 } })
  const complaints: string[] = []
  page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(
    `${api.url}/embed/${id}.html?player_key=${api.channel.keys.player}&autoplay=true&muted=true`,
  )
  for (let tries = 0; tries < 2000 && (await ask(page, (p) => p.currentTime)) < 0.3; tries += 1)
    await page.waitForTimeout(50)
  assert.deepEqual(await shown(page), [])

  await page.mouse.move(400, 200)
  await page.locator('media-settings-menu-button').click()
  await page.locator('media-settings-menu-item.captions').click()
  await shoot(page, 'captions-menu')
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await page.keyboard.press('Escape')

  const [later] = await jump(page, 3)
  assert.equal(later?.label, 'English')
  const [cue] = later?.cues ?? []
  assert.deepEqual([cue?.start, cue?.end], [2, 4.5])
  assert.equal(
    cue?.text,
    'This is the <b>harbour</b>,\n1 &lt; 2 &amp; &lt;script&gt;no script&lt;/script&gt;.',
  )
  await page.mouse.move(400, 200)
  await shoot(page, 'captions')

  const [early] = await jump(page, 1)
  assert.equal(early?.cues[0]?.text, 'Good <i>morning</i>!')
  assert.deepEqual([early?.cues[0]?.start, early?.cues[0]?.end], [0, 2])
  assert.deepEqual(complaints, [])
  await page.close()
})
