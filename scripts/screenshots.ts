/**
 * Takes screenshots of every page of the dashboard, light and dark, on a desktop and a phone: `npm run screenshots`.
 * Uses a real server with a small sample channel, and writes to docs/screenshots. `npm run screenshots -- videos home`
 * takes only those whose names begin with these words.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { pages } from '../packages/dashboard/src/app/pages.js'
import { putFfmpegOnPath } from '../test/support/ffmpeg-on-path.js'
import { startTestPostgres } from '../test/support/postgres.js'

const folder = fileURLToPath(new URL('../docs/screenshots', import.meta.url))
const quality = 60
const frameMs = 400
const screens: Readonly<Record<string, BrowserContextOptions>> = {
  desk: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 780 }, deviceScaleFactor: 1.5, isMobile: true },
}
const schemes = ['light', 'dark'] as const
const begins = process.argv.slice(2)
const isWanted = (name: string) => begins.length === 0 || begins.some((begin) => name.startsWith(begin))

async function keep(page: Page, name: string): Promise<void> {
  if (!isWanted(name)) return
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
  // Waits for the player's first frame, for which there is no event.
  await page.waitForTimeout(frameMs)
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
  await writeFile(`${folder}/${name}.webp`, Buffer.from(data, 'base64'))
  await session.detach()
}

const nameOf = (path: string) =>
  path
    .replace('/zobjects/$type', '/objects')
    .replaceAll(/\/\$\w+/g, '-one')
    .replaceAll('/', '-')
    .replace(/^-/, '') || 'home'

await putFfmpegOnPath()
const postgres = await startTestPostgres(() => {})
process.env.TEST_POSTGRES = JSON.stringify(postgres.connection)
try {
  const { goTo, settled, startDashboard } = await import('../test/support/dashboard.js')
  const { fillChannel, linkOfWelcome, nameOwner } = await import('./sample-channel/fill.js')
  const dashboard = await startDashboard()
  const shown = await fillChannel(dashboard.api, dashboard.browser)
  const addressOf = (path: string) =>
    path
      .replace('$type', shown['zobject-types'] ?? '')
      .replace('$subtitle', shown.subtitle ?? '')
      .replace('$id', shown[path.split('/')[1] ?? ''] ?? '')
      .replace('$token', 'x')
  await mkdir(folder, { recursive: true })
  if (begins.length === 0)
    for (const file of await readdir(folder)) if (file.endsWith('.webp')) await rm(`${folder}/${file}`)
  for (const [screen, options] of Object.entries(screens))
    for (const colorScheme of schemes) {
      const look = `${screen}-${colorScheme}`
      const stranger = await (await dashboard.browser.newContext({ ...options, colorScheme })).newPage()
      await stranger.goto(`${dashboard.api.url}/dashboard`)
      await settled(stranger)
      await keep(stranger, `sign-in-${look}`)
      await stranger.goto(await linkOfWelcome(dashboard.api))
      await settled(stranger)
      await keep(stranger, `welcome-${look}`)
      await stranger.context().close()
      const page = await dashboard.open('/', { ...options, colorScheme, also: [dashboard.api.other] })
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
      await nameOwner(dashboard.api)
      await page.reload()
      await settled(page)
      await page.mouse.move(0, 0)
      for (const { path } of pages.filter((each) => each.path !== '/welcome')) {
        const name = `${nameOf(path)}-${look}`
        if (!isWanted(name)) continue
        await goTo(page, addressOf(path))
        if (path.endsWith('$subtitle')) await page.getByTestId('cue').waitFor()
        await keep(page, name)
        if (path !== '/videos/$id') continue
        for (const tab of await page.getByRole('tab').all()) {
          const label = (await tab.textContent())?.toLowerCase().replaceAll(/\W+/g, '-')
          await tab.click()
          await settled(page)
          await page.getByRole('tablist').evaluate((tabs) => {
            scrollTo({ top: tabs.getBoundingClientRect().top + scrollY - 72 })
          })
          await keep(page, `video-${label}-${look}`)
        }
      }
      await page.context().close()
    }
  await dashboard.stop()
} finally {
  await postgres.stop()
  await rm(postgres.folder, { recursive: true, force: true })
}
