/**
 * Pictures of every page of the dashboard, light and dark, on a desk and on a phone: `npm run screenshots`. They are made
 * by a real server with a small channel of films, and lie in docs/screenshots.
 */
import { mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { pages } from '../packages/dashboard/src/app/pages.js'
import type { TestApi } from '../test/support/api.js'
import { startTestPostgres } from '../test/support/postgres.js'

const folder = fileURLToPath(new URL('../docs/screenshots', import.meta.url))
const screens = {
  desk: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 780 }, isMobile: true },
}
const schemes = ['light', 'dark'] as const

const titles = [
  'A walk along the harbour',
  'Trains at night',
  'Storm over the bay',
  'The lighthouse keeper',
  'Market day',
]

/** A channel as it may be after a week. Answers with a video that plays. */
async function fillChannel(api: TestApi): Promise<string> {
  const { makeClip } = await import('../test/support/clip.js')
  const { uploadClip, untilPrepared } = await import('../test/support/media.js')
  const ids: string[] = []
  for (const [index, title] of titles.entries()) {
    const clip = await makeClip({ seconds: 4 + index, size: '640x360' })
    const { _id } = await uploadClip(api, clip, title)
    ids.push((await untilPrepared(api, _id))._id)
  }
  const { videos } = api.as('admin')
  await videos.update(ids[1] ?? '', { active: false })
  await videos.create({ title: 'Winter, not filmed yet' })
  return ids[0] ?? ''
}

async function shoot(page: Page, path: string, name: string): Promise<void> {
  await page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(`/dashboard${path}`)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(500)
  await page.screenshot({ path: `${folder}/${name}.png` })
}

const nameOf = (path: string) =>
  path
    .replaceAll(/\/\$\w+/g, '-one')
    .replaceAll('/', '-')
    .replace(/^-/, '') || 'home'

const postgres = await startTestPostgres(() => {})
process.env.TEST_POSTGRES = JSON.stringify(postgres.connection)
try {
  const { startDashboard } = await import('../test/support/dashboard.js')
  const { openWorker } = await import('../test/support/media.js')
  const dashboard = await startDashboard()
  const worker = openWorker(dashboard.api)
  const videoId = await fillChannel(dashboard.api)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const shown = pages
    .filter(({ path, isPublic }) => !isPublic && (!path.includes('$') || path === '/videos/$id'))
    .map(({ path }) => ({ path: path.replace('$id', videoId), name: nameOf(path) }))
  for (const [screen, options] of Object.entries(screens))
    for (const colorScheme of schemes) {
      const page = await dashboard.open('/', { ...options, colorScheme })
      for (const { path, name } of shown) await shoot(page, path, `${name}-${screen}-${colorScheme}`)
      await page.context().close()
    }
  await worker.stop()
  await dashboard.stop()
} finally {
  await postgres.stop()
  await rm(postgres.folder, { recursive: true, force: true })
}
