import type { BrowserContext, CDPSession, Page, Request } from 'playwright-core'
import type { Line } from './slow-line.js'

/** A network connection and a processor to simulate. */
export interface Machine extends Line {
  readonly name: string
  /** How many times slower than this machine. */
  readonly slower: number
}

/** What a load of a page took. Times are milliseconds from the beginning of the navigation. */
export interface PageLoad {
  readonly firstPaint: number
  readonly largestPaint: number
  /** What the page is for is there, and no long task keeps it from answering. */
  readonly interactive: number
  /** What long tasks took beyond 50 ms each, until then. */
  readonly blocking: number
  readonly shift: number
  readonly bytes: number
  readonly requests: number
}

/** Runs in the page, before anything of the page does. */
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

/** A page in a browser that works as slowly as the machine; the line is not its business. */
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

/** Waits until a page of the dashboard has its name, and nothing in it is still to come; says what it shows instead. */
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

/** Opens an address and waits until what the page is for is there. */
export async function measureLoad(page: Page, session: CDPSession, address: string): Promise<PageLoad> {
  // What the page before still loads is not counted.
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

/** Does something on a page; answers how long the slowest press or click took until the page had answered it. */
export async function measureAnswer(page: Page, act: (page: Page) => Promise<void>): Promise<number> {
  await page.evaluate('seen.events.length = 0')
  await act(page)
  await page.waitForTimeout(quietMs)
  const { events } = await page.evaluate<Seen>('seen')
  // What took less than 16 ms is not told.
  return Math.max(16, ...events)
}
