import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { ZoetropePlayer } from '../../packages/player/src/index.js'
import { autoplay, openBrowser } from '../support/browser.js'
import { patienceMs } from '../support/patience.js'
import { type PlayerServer, startPlayerServer } from './player-server.js'

/** Where to save screenshots for the documentation. */
const shots = process.env.SHOTS

export interface PlayerPages {
  readonly server: PlayerServer
  readonly browser: Browser
}

export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 300 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}

export async function startPlayerPages(): Promise<PlayerPages> {
  const server = await startPlayerServer()
  return { server, browser: await openBrowser(autoplay) }
}

export async function stopPlayerPages(pages: PlayerPages | undefined): Promise<void> {
  await pages?.browser.close()
  await pages?.server.stop()
}

/**
 * Records the player's events in `window.heard` of the page. A stall is a player that has run out of film:
 * a machine that is too slow to decode waits too, with film at hand.
 */
const listen = `window.heard = []
const player = document.querySelector('zoetrope-player')
let hasPlayed = false
for (const name of ['ready', 'play', 'ended']) player.addEventListener(name, () => heard.push(name))
player.addEventListener('error', (event) => heard.push('error ' + event.detail.code))
player.addEventListener('playing', () => { hasPlayed = true })
player.addEventListener('waiting', () => {
  const { buffered, currentTime, seeking } = player.video
  const hasFilm = [...Array(buffered.length).keys()].some(
    (i) => buffered.start(i) <= currentTime + 0.1 && buffered.end(i) > currentTime + 0.5)
  if (hasPlayed && !seeking && !hasFilm) heard.push('stall')
})`

/** Returns a player element with the clip of the tests. */
export const clip = (more = '') => `<zoetrope-player src="/clip/master.m3u8" poster="/clip/poster.jpg"
  title="A walk along the harbour" ${more}></zoetrope-player>`

/** Opens a page with a player in a new browser context. */
export async function openPlayer(
  { server, browser }: PlayerPages,
  body: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 563 }, ...options })
  const page = await context.newPage()
  await page.goto(server.page(`${body}<script>${listen}</script><script src="/zoetrope-player.js"></script>`))
  return page
}

export const heard = (page: Page) => page.evaluate('window.heard') as Promise<string[]>

export const ask = <T>(page: Page, question: (player: ZoetropePlayer) => T): Promise<T> =>
  page.$eval('zoetrope-player', question as never)

/** Waits until a condition on `video` holds. Asking in every frame would take longer than playing the film. */
export const until = (page: Page, condition: string) =>
  page.waitForFunction(
    `(({ video }) => ${condition})(document.querySelector('zoetrope-player'))`,
    undefined,
    { timeout: patienceMs, polling: 50 },
  )

/** The role and the first word of the focused element, wherever it is in shadow trees. */
export const focused = (page: Page): Promise<{ role: string | null; word: string } | undefined> =>
  page.evaluate(() => {
    let element = document.activeElement
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    return element ? { role: element.role, word: element.textContent.trim().split(/\s/)[0] ?? '' } : undefined
  })

export const notice = (page: Page) => page.locator('zoetrope-player .notice')

/** Moves the pointer, so that the controls appear. */
export async function wake(page: Page): Promise<void> {
  await page.mouse.move(300, 100)
  await page.mouse.move(310, 110)
  await page.waitForTimeout(400)
}

export async function shoot(page: Page, name: string): Promise<void> {
  if (!shots) return
  // Controls and notices fade in.
  await page.waitForTimeout(600)
  await page.screenshot({ path: `${shots}/player-${name}.png` })
}
