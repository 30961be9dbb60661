import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Role } from '@zoetrope/contract'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startOwnApi, type TestApi, type TestChannel } from './api.js'
import { openBrowser } from './browser.js'
import { addPublisher, password, signInAs } from './publishers.js'

export interface Dashboard {
  readonly api: TestApi
  readonly browser: Browser
  /** Opens a page of the dashboard as a new, signed-in member of the channel, in a fresh browser context. */
  open(path: string, options?: OpenOptions): Promise<Page>
  stop(): Promise<void>
}

interface OpenOptions extends BrowserContextOptions {
  readonly role?: Role
  /** Other channels that the member belongs to. */
  readonly also?: readonly TestChannel[]
  /** False leaves the frame of the player empty: playing a film takes more time than the page around it. */
  readonly hasPlayer?: boolean
}

/** The errors on each page. A test that ends with any has found a bug. */
const problems = new WeakMap<Page, string[]>()
export const problemsOf = (page: Page): readonly string[] => problems.get(page) ?? []

/** Starts a real server with the dashboard, and a browser. */
export async function startDashboard(): Promise<Dashboard> {
  const [api, browser] = await Promise.all([startOwnApi(), openBrowser()])
  return {
    api,
    browser,
    async open(path, { role = 'owner', also = [], hasPlayer = true, ...options } = {}) {
      const publisher = await addPublisher(
        api,
        [api.channel, role],
        ...also.map((channel) => [channel, role] as const),
      )
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        reducedMotion: 'reduce',
        ...options,
      })
      const [name = '', value = ''] = (await signInAs(api, publisher)).cookie.split('=')
      await context.addCookies([{ name, value, url: api.url, httpOnly: true, sameSite: 'Lax' }])
      if (!hasPlayer)
        await context.route('**/embed/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
      const page = await context.newPage()
      const found: string[] = []
      problems.set(page, found)
      page.on('pageerror', (error) => found.push(error.message))
      page.on('console', (message) => {
        // A 4xx response is not an error of the page. A violation of the content security policy is.
        if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) found.push(message.text())
      })
      await page.goto(`${api.url}/dashboard${path}`)
      return page
    },
    async stop() {
      await browser.close()
      await api.stop()
    },
  }
}

export async function signIn(page: Page, email: string, secret = password): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Waits until a page has its heading and nothing on it is loading. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator('[role=status][aria-label=Loading]').first().waitFor({ state: 'detached' })
}

/** Goes to another page of the dashboard as its links do, without a full reload. */
export async function goTo(page: Page, path: string): Promise<void> {
  const isThere = new URL(page.url()).pathname.replace(/\/c\/[0-9a-f]{24}/, '') === `/dashboard${path}`
  if (isThere) return settled(page)
  const heading = await page.getByRole('heading', { level: 1 }).first().elementHandle()
  await page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(`/dashboard${path}`)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
  if (heading) await heading.waitForElementState('hidden')
  await settled(page)
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns the serious and critical accessibility findings of axe: on the whole page, or in the parts that a selector each
 * names.
 */
export async function barriersOn(page: Page, parts?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  // What is half faded in has too little contrast.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter((one) => one.playState === "running" && one.effect?.getTiming().iterations !== Infinity).map((one) => one.finished))',
  )
  const where = parts ? JSON.stringify({ include: parts }) : 'document'
  // axe waits for frames even if there is no axe in them to search them.
  const options = JSON.stringify({ resultTypes: ['violations'], iframes: false, preload: false })
  return page.evaluate(`axe.run(${where}, ${options}).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target, any }) => id + ' ' + target.join(' ') + ' ' + (any[0]?.message ?? ''))))`)
}

/** Returns by how much a page is wider than its window, or 0 if it does not scroll sideways. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('Math.max(0, document.documentElement.scrollWidth - window.innerWidth)')

export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 780 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}
