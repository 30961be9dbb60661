/**
 * Takes screenshots of every page of the dashboard, light and dark, on a desktop and a phone: `npm run screenshots`.
 * Uses a real server with a small sample channel, and writes to the folder `screenshots`, which git ignores. Those that
 * the README and the guides show are copied to docs/screenshots. `npm run screenshots -- videos home` takes only those
 * whose names begin with these words.
 */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { pages } from '../packages/dashboard/src/app/pages.js'
import { putFfmpegOnPath } from '../test/support/ffmpeg-on-path.js'
import { startTestPostgres } from '../test/support/postgres.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'screenshots')
const keptFolder = join(root, 'docs/screenshots')
const quality = 60
const frameMs = 400
const screens: Readonly<Record<string, BrowserContextOptions>> = {
  desk: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 780 }, deviceScaleFactor: 1.5, isMobile: true },
}
const schemes = ['light', 'dark'] as const
const begins = process.argv.slice(2)
const isWanted = (name: string) => begins.length === 0 || begins.some((begin) => name.startsWith(begin))

/** Returns the files in docs/screenshots that the README and the guides show. */
async function findShown(): Promise<readonly string[]> {
  const guides = (await readdir(join(root, 'docs/guide'))).map((name) => `docs/guide/${name}`)
  const texts = await Promise.all(['README.md', ...guides].map((path) => readFile(join(root, path), 'utf8')))
  return texts.flatMap((text) =>
    [...text.matchAll(/screenshots\/([\w-]+\.webp)/g)].map(([, name = '']) => name),
  )
}

/** Copies the screenshots that are shown to docs/screenshots, and removes those there that no longer are. */
async function updateShown(): Promise<void> {
  const shown = await findShown()
  const taken = await readdir(folder)
  for (const file of taken.filter((name) => shown.includes(name)))
    await copyFile(join(folder, file), join(keptFolder, file))
  for (const file of await readdir(keptFolder)) if (!shown.includes(file)) await rm(join(keptFolder, file))
}

async function take(page: Page, name: string): Promise<void> {
  if (!isWanted(name)) return
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
  // Waits for the player's first frame, for which there is no event.
  await page.waitForTimeout(frameMs)
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
  await writeFile(join(folder, `${name}.webp`), Buffer.from(data, 'base64'))
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
  // What an earlier run took may be of pages that are gone.
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const [screen, options] of Object.entries(screens))
    for (const colorScheme of schemes) {
      const look = `${screen}-${colorScheme}`
      const stranger = await (await dashboard.browser.newContext({ ...options, colorScheme })).newPage()
      await stranger.goto(`${dashboard.api.url}/dashboard`)
      await settled(stranger)
      await take(stranger, `sign-in-${look}`)
      await stranger.goto(await linkOfWelcome(dashboard.api))
      await settled(stranger)
      await take(stranger, `welcome-${look}`)
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
        await take(page, name)
        if (path !== '/videos/$id') continue
        for (const tab of await page.getByRole('tab').all()) {
          const label = (await tab.textContent())?.toLowerCase().replaceAll(/\W+/g, '-')
          await tab.click()
          await settled(page)
          await page.getByRole('tablist').evaluate((tabs) => {
            scrollTo({ top: tabs.getBoundingClientRect().top + scrollY - 72 })
          })
          await take(page, `video-${label}-${look}`)
        }
      }
      await page.context().close()
    }
  await dashboard.stop()
  await updateShown()
} finally {
  await postgres.stop()
  await rm(postgres.folder, { recursive: true, force: true })
}
