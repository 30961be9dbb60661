/**
 * npm run bench:dashboard [-- --videos 20000]
 * Measures how fast the dashboard's pages load with an empty and with a filled browser cache, on a desktop and on a
 * slow phone, and how fast they respond to input. Writes bench/results/dashboard.md.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, loadavg, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { startTestPostgres } from '../test/support/postgres.js'
import { type Machine, measureAnswer, measureLoad, type PageLoad, slowPage } from './page-loads.js'
import { seedVideos } from './seed.js'
import { openSlowLine } from './slow-line.js'

const { values } = parseArgs({ options: { videos: { type: 'string', default: '100000' } } })

/** The second is what Lighthouse calls a mid-range phone on slow 4G. */
const machines: readonly Machine[] = [
  { name: 'A desk: this machine, 50 Mbit/s, 10 ms away', bitsPerSecond: 50e6, roundTripMs: 10, slower: 1 },
  {
    name: 'A phone: four times slower, 1.6 Mbit/s, 150 ms away',
    bitsPerSecond: 1.6e6,
    roundTripMs: 150,
    slower: 4,
  },
]
const looked = [
  '/',
  '/videos',
  '/upload',
  '/playlists',
  '/consumers',
  '/keys',
  '/requests',
  '/settings/formats',
  '/team',
  '/account',
]

const ms = (value: number) => Math.round(value).toLocaleString('en')
const row = (
  name: string,
  { firstPaint, largestPaint, interactive, blocking, shift, bytes, requests }: PageLoad,
  bare: PageLoad,
) =>
  `| ${name} | ${ms(firstPaint)} | ${ms(largestPaint)} | ${ms(interactive)} | ${(interactive / bare.interactive).toFixed(1)} | ${ms(blocking)} | ${shift.toFixed(3)} | ${Math.round(bytes / 1000)} | ${requests} |`
const head = [
  '| Page | First paint | Largest paint | Interactive | Times bare | Blocking | Shift | KB | Requests |',
  '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
]

/** Serves a minimal page for comparison: a heading, without styles or scripts. */
async function openBare(): Promise<{ url: string; close(): void }> {
  const page = '<!doctype html><title>Bare</title><main id="page"><h1>Bare</h1><p>A page.</p></main>'
  const server = createServer((_request, reply) =>
    reply.setHeader('content-type', 'text/html').setHeader('cache-control', 'no-store').end(page),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  }
}

/** The most common actions, on the list of videos unless `places` names another page. */
const actions: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'a letter typed into the search': async (page) => {
    await page.getByLabel('Search', { exact: true }).fill('')
    await page.getByLabel('Search', { exact: true }).press('r')
  },
  'a video ticked': (page) =>
    page
      .getByRole('checkbox', { name: /^Select / })
      .first()
      .check(),
  'from the grid to the table': (page) => page.locator('label', { hasText: 'Table' }).click(),
  'the filters opened': (page) => page.getByRole('button', { name: 'Filters' }).click(),
  'the menu of the account opened': (page) => page.getByRole('button', { name: /^Signed in as/ }).click(),
  'a video opened': (page) => page.locator('a[href*="/videos/"]').first().click(),
  'a link to another page followed': (page) => page.getByRole('link', { name: 'Playlists' }).click(),
  'a format switched off': (page) => page.getByRole('switch', { name: 'HLS 240p' }).press('Space'),
  'a change saved': async (page) => {
    await page.getByLabel(/^Title/).fill(`One ${Math.round(performance.now())}`)
    await page.getByRole('button', { name: 'Save' }).click()
  },
}
/** The pages of actions that happen elsewhere. */
const places: Readonly<Record<string, string>> = {
  'a format switched off': '/settings/formats',
  'a change saved': '/settings/channel',
}

const lines: string[] = []
const say = (line: string) => {
  console.log(line)
  lines.push(line)
}

const postgres = await startTestPostgres(() => {})
process.env.TEST_POSTGRES = JSON.stringify(postgres.connection)
try {
  const { startDashboard } = await import('../test/support/dashboard.js')
  const { openDatabase } = await import('../packages/server/src/db/database.js')
  const dashboard = await startDashboard()
  const { api, browser } = dashboard
  const one = openDatabase({ connection: api.connection, connections: 1 })
  await seedVideos(one, api.channel.channel._id, Number(values.videos), () => {})
  await one.close()
  const { response } = await api.as('admin').videos.list({ per_page: 1 })
  const paths = [...looked, `/videos/${response[0]?._id}`]
  const first = await dashboard.open('/')
  await first.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  const storageState = await first.context().storageState()
  const cores = cpus()
  say(
    `- ${new Date().toISOString().slice(0, 10)}; ${cores.length} × ${cores[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${browser.version()}`,
  )
  say(
    `- browser, server and PostgreSQL share the machine; a channel of ${Number(values.videos).toLocaleString('en')} videos; times in milliseconds; the machine's load before: ${loadavg()[0]?.toFixed(1)}`,
  )
  say(
    '- cold: a browser that has never been here; warm: the same page once more. Interactive: the page has what it is for, and answers',
  )
  const openOn = async (machine: Machine) => {
    const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 800 } })
    return slowPage(context, machine)
  }
  const plain = await openBare()
  for (const machine of machines) {
    const line = await openSlowLine(api.url, machine)
    const bareLine = await openSlowLine(plain.url, machine)
    const rows: Record<'cold' | 'warm', string[]> = { cold: [], warm: [] }
    const [barePage, bareSession] = await openOn(machine)
    const bare = await measureLoad(barePage, bareSession, bareLine.url)
    await barePage.context().close()
    await bareLine.close()
    for (const path of paths) {
      const [page, session] = await openOn(machine)
      for (const memory of ['cold', 'warm'] as const) {
        const load = await measureLoad(page, session, `${line.url}/dashboard${path}`)
        rows[memory].push(row(path.replace(/\w{24}/, '$id'), load, bare))
      }
      await page.context().close()
    }
    await line.close()
    for (const [memory, measured] of Object.entries(rows))
      for (const text of [
        `\n### ${machine.name}, ${memory}\n`,
        ...head,
        row('a bare page', bare, bare),
        ...measured,
      ])
        say(text)
  }
  plain.close()
  say('\n### Until the page answers\n')
  say('| What somebody does | Desk | Phone |')
  say('|---|--:|--:|')
  const answers = new Map(Object.keys(actions).map((name) => [name, [] as string[]]))
  for (const machine of machines) {
    const line = await openSlowLine(api.url, machine)
    const [page, session] = await openOn(machine)
    for (const [name, act] of Object.entries(actions)) {
      await measureLoad(page, session, `${line.url}/dashboard${places[name] ?? '/videos'}`)
      answers.get(name)?.push(ms(await measureAnswer(page, act)))
    }
    await page.context().close()
    await line.close()
  }
  for (const [name, took] of answers) say(`| ${name} | ${took.join(' | ')} |`)
  await dashboard.stop()
  const folder = new URL('results/', import.meta.url)
  await mkdir(folder, { recursive: true })
  await writeFile(new URL('dashboard.md', folder), `${lines.join('\n')}\n`)
} finally {
  await postgres.stop()
  await rm(postgres.folder, { recursive: true, force: true })
}
