/**
 * Measures whether a long list of videos scrolls smoothly in the dashboard: Debian's Chromium on a real server, with
 * the mouse wheel and the scrollbar. Writes bench/results/dashboard-list.md.
 */
import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { startTestPostgres } from '../../test/support/postgres.js'
import { seedVideos } from './seed.js'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '100000' } } })
const rows = Number(values.rows)
const wheelSteps = 120
const drags = 20

/** Returns the times between the frames that the page drew while `run` ran. */
async function framesDuring(page: Page, run: () => Promise<void>): Promise<readonly number[]> {
  await page.evaluate(`window.frames_ = []; window.going_ = true; (function tick(last) {
    requestAnimationFrame((now) => { if (last) window.frames_.push(now - last); if (window.going_) tick(now) })
  })()`)
  await run()
  return page.evaluate('(window.going_ = false, window.frames_)')
}

const at = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
const summary = (frames: readonly number[]) => {
  const sorted = [...frames].sort((a, b) => a - b)
  return [at(sorted, 0.5), at(sorted, 0.95), at(sorted, 1)].map((ms) => ms.toFixed(0)).join(' | ')
}

/** Returns the time from a jump until the videos there are drawn. */
async function jumpTo(page: Page, share: number): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    const began = performance.now()
    scrollTo(0, document.documentElement.scrollHeight * ${share})
    const look = () => {
      const middle = [...document.querySelectorAll('[data-entry]')].filter((entry) => {
        const { top, bottom } = entry.getBoundingClientRect()
        return bottom > 0 && top < innerHeight
      })
      if (middle.length > 0 && middle.every((entry) => entry.querySelector('a'))) resolve(performance.now() - began)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })`)
}

async function measure(page: Page, layout: string): Promise<string> {
  const wheel = await framesDuring(page, async () => {
    for (let step = 0; step < wheelSteps; step += 1) {
      await page.mouse.wheel(0, 400)
      await page.waitForTimeout(16)
    }
  })
  const jumps: number[] = []
  for (let drag = 0; drag < drags; drag += 1) jumps.push(await jumpTo(page, ((drag * 7) % drags) / drags))
  const drawn = await page.evaluate<number>("document.querySelectorAll('[data-entry]').length")
  return `| ${layout} | ${summary(wheel)} | ${summary(jumps)} | ${drawn} |`
}

const postgres = await startTestPostgres(() => {})
process.env.TEST_POSTGRES = JSON.stringify(postgres.connection)
try {
  const { startDashboard } = await import('../../test/support/dashboard.js')
  const dashboard = await startDashboard()
  await seedVideos(dashboard.api.database, dashboard.api.channel.channel._id, rows, () => {})
  const lines: string[] = []
  for (const layout of ['grid', 'table']) {
    const page = await dashboard.open(`/videos?layout=${layout}`)
    await page.locator('[data-entry] a').first().waitFor()
    await page.mouse.move(640, 500)
    lines.push(await measure(page, layout))
    await page.context().close()
  }
  const report = `# A list of ${rows.toLocaleString('en')} videos in the dashboard

${cpus().length} × ${cpus()[0]?.model}, Chromium without a graphics card, server and database on the same machine.
Milliseconds: median, 95 %, longest.

| Layout | Frame, wheel | 95 % | longest | Jump until drawn | 95 % | longest | Videos in the page |
| --- | --- | --- | --- | --- | --- | --- | --- |
${lines.join('\n')}
`
  console.log(report)
  await writeFile(new URL('../../bench/results/dashboard-list.md', import.meta.url), report)
  await dashboard.stop()
} finally {
  await postgres.stop()
}
