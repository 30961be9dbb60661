import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { type Dashboard, phone, problemsOf, startDashboard } from './dashboard.js'

type Prepare = (dashboard: Dashboard) => Promise<(() => Promise<unknown>) | undefined>

/**
 * Starts a dashboard before the first test of a file and stops it after the last. `prepare` may return a cleanup
 * function.
 */
export function withDashboard(prepare: Prepare = async () => undefined): Omit<Dashboard, 'stop'> {
  let running: Dashboard
  let finish: (() => Promise<unknown>) | undefined
  before(async () => {
    running = await startDashboard()
    finish = await prepare(running)
  })
  after(async () => {
    await finish?.()
    await running.stop()
  })
  return {
    get api() {
      return running.api
    },
    get browser() {
      return running.browser
    },
    open: (...asked) => running.open(...asked),
  }
}

/** Closes the page, and asserts that nothing went wrong in the browser. */
export async function leave(page: Page): Promise<void> {
  assert.deepEqual(problemsOf(page), [])
  await page.context().close()
}

/** The display settings that differ most. */
export const looks: Readonly<Record<string, BrowserContextOptions>> = {
  'a desk in light': { colorScheme: 'light' },
  'a phone in dark': { ...phone, colorScheme: 'dark' },
}
