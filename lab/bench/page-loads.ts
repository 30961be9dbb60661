import type { BrowserContext, CDPSession, Page, Request } from 'playwright-core'
import type { Line } from './slow-line.js'

/** A network connection and a processor to simulate. */
export interface Machine extends Line {
  readonly name: string
  /** The slowdown factor relative to this machine. */
  readonly slower: number
}

/** The measurements of a page load. Times are milliseconds from the start of the navigation. */
export interface PageLoad {
  readonly firstPaint: number
  readonly largestPaint: number
  /** The page shows its content, and no long task blocks input. */
  readonly interactive: number
  /** The sum of what long tasks took beyond 50 ms each, until then. */
  readonly blocking: number
  readonly shift: number
  readonly bytes: number
  readonly requests: number
}

/** Runs in the page before its own scripts. */
const watching = `
  window.seen = { paint: 0, largest: 0, tasks: [], shift: 0, events: [] }
  const watch = (type, take, more = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more })
  watch('paint', (entry) => { if (entry.name === 'first-contentful-paint') seen.paint = entry.startTime })
  watch('largest-contentful-paint', (entry) => { seen.largest = entry.startTime })
  watch('longtask', ({ startTime, duration }) => seen.tasks.push([startTime, duration]))
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.shift += entry.value })
  watch('event', ({ startTime, duration, interactionId }) => { if (interactionId) seen.events.push(duration) }, { durationThreshold: 16 })
`

interface Seen {
  readonly paint: number
  readonly largest: number
  readonly tasks: readonly (readonly [number, number])[]
  readonly shift: number
  readonly events: readonly number[]
}

/** Opens a page with the machine's processor speed. The network is simulated elsewhere. */
export async function slowPage(context: BrowserContext, machine: Machine): Promise<[Page, CDPSession]> {
  const page = await context.newPage()
  await page.addInitScript(watching)
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Emulation.setCPUThrottlingRate', { rate: machine.slower })
  return [page, session]
}

const quietMs = 300
const longMs = 50

/**
 * Waits until a page of the dashboard has its heading and nothing on it is loading. On failure, reports what it shows.
 */
async function pageIsThere(page: Page): Promise<void> {
  const asked = new Map<Request, string>()
  const begin = (request: Request) => asked.set(request, 'has no answer')
  const end = (request: Request) => asked.delete(request)
  const fail = (request: Request) => asked.set(request, request.failure()?.errorText ?? 'failed')
  page.on('request', begin).on('requestfinished', end).on('requestfailed', fail)
  try {
    await page.locator('#page h1').first().waitFor()
    await page.locator('[role=status][aria-label=Loading]').first().waitFor({ state: 'detached' })
  } catch (cause) {
    const shown = await page.locator('body').innerText({ timeout: 1000 })
    const open = [...asked].map(([request, how]) => `${how}: ${request.url()}`)
    throw new Error(`${page.url()} shows: ${shown}\n${open.join('\n')}`, { cause })
  } finally {
    page.off('request', begin).off('requestfinished', end).off('requestfailed', fail)
  }
}

/** Opens an address and waits until the page shows its content. */
export async function measureLoad(page: Page, session: CDPSession, address: string): Promise<PageLoad> {
  // Requests of the previous page are not counted.
  await page.goto('about:blank')
  let [bytes, requests] = [0, 0]
  const count = ({ encodedDataLength }: { encodedDataLength: number }) => {
    bytes += encodedDataLength
    requests += 1
  }
  session.on('Network.loadingFinished', count)
  await page.goto(address, { waitUntil: 'commit' })
  await pageIsThere(page)
  const there = await page.evaluate<number>('performance.now()')
  await page.waitForTimeout(quietMs)
  session.off('Network.loadingFinished', count)
  const { paint, largest, tasks, shift } = await page.evaluate<Seen>('seen')
  const before = tasks.filter(([start]) => start < there)
  const [start = 0, duration = 0] = before.at(-1) ?? []
  return {
    firstPaint: paint,
    largestPaint: largest,
    interactive: Math.max(there, start + duration),
    blocking: before.reduce((sum, [, took]) => sum + Math.max(0, took - longMs), 0),
    shift,
    bytes,
    requests,
  }
}

/** Acts on a page. Returns how long the page took to respond to the slowest key press or click. */
export async function measureAnswer(page: Page, act: (page: Page) => Promise<void>): Promise<number> {
  await page.evaluate('seen.events.length = 0')
  await act(page)
  await page.waitForTimeout(quietMs)
  const { events } = await page.evaluate<Seen>('seen')
  // Events shorter than 16 ms are not reported.
  return Math.max(16, ...events)
}
