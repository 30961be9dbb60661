/**
 * Measures how fast the dashboard's pages load with an empty and with a filled browser cache, on a desktop and on a
 * slow phone, and how fast they respond to input. Writes bench/results/dashboard.md. With --answers, only the latter is
 * measured, and nothing is written.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, loadavg, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { startTestPostgres } from '../../test/support/postgres.js'
import { type Machine, measureAnswer, measureLoad, type PageLoad, slowPage } from './page-loads.js'
import { seedVideos } from './seed.js'
import { openSlowLine } from './slow-line.js'

const { values } = parseArgs({
  options: { videos: { type: 'string', default: '100000' }, answers: { type: 'boolean', default: false } },
})

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

interface Action {
  /** Where it happens, if not on the list of videos. */
  readonly at?: (videoId: string) => string
  /** What is done before, and not measured. */
  readonly before?: (page: Page) => Promise<void>
  readonly act: (page: Page) => Promise<void>
}

const layout = (name: string) => (page: Page) => page.locator('label', { hasText: name }).click()
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const link = (name: string | RegExp) => (page: Page) => page.getByRole('link', { name }).first().click()
const rename = (page: Page) => page.locator('input[name=title]').fill(`One ${Math.round(performance.now())}`)
const search = (page: Page) => page.getByLabel('Search', { exact: true })

/** The most common actions. */
const actions: Readonly<Record<string, Action>> = {
  'a letter typed into the search': { act: (page) => search(page).press('r') },
  'a video ticked': {
    act: (page) =>
      page
        .getByRole('checkbox', { name: /^Select / })
        .first()
        .check(),
  },
  'all videos on the screen ticked': {
    before: layout('Table'),
    act: (page) => page.locator('thead').getByRole('checkbox').check(),
  },
  'from the grid to the table': { act: layout('Table') },
  'from the table to the grid': { before: layout('Table'), act: layout('Grid') },
  'the filters opened': { act: button('Filters') },
  'a filter chosen': {
    before: async (page) => {
      await button('Filters')(page)
      await page.getByRole('dialog').getByRole('combobox').first().focus()
    },
    act: (page) => page.keyboard.press('ArrowDown'),
  },
  'the menu of a video opened': { act: button(/^Actions for/) },
  'the menu of the account opened': { act: button(/^Signed in as/) },
  'Ctrl+K pressed': { act: (page) => page.keyboard.press('Control+K') },
  'a letter typed after Ctrl+K': {
    before: async (page) => {
      await page.keyboard.press('Control+K')
      await page.getByRole('dialog').getByRole('option').first().waitFor()
    },
    act: (page) => page.keyboard.press('r'),
  },
  'a video opened': { act: (page) => page.locator('main a[href*="/videos/"]').first().click() },
  'a tab of a video opened': {
    at: (id) => `/videos/${id}`,
    act: (page) => page.getByRole('tab', { name: 'Access' }).click(),
  },
  'a change of a video saved': { at: (id) => `/videos/${id}`, before: rename, act: button('Save') },
  'the editor of a subtitle opened': {
    at: (id) => `/videos/${id}?tab=subtitles`,
    act: link(/^Edit/),
  },
  'a playlist opened': { at: () => '/playlists', act: link('Winter') },
  'a link to another page followed': { act: link('Playlists') },
  'a format switched off': {
    at: () => '/settings/formats',
    act: (page) => page.getByRole('switch', { name: 'HLS 240p' }).press('Space'),
  },
  'a change of the channel saved': { at: () => '/settings/channel', before: rename, act: button('Save') },
}
/** Makes a subtitle with so many lines. */
const subtitleOf = (lines: number) => {
  const at = (second: number) => new Date(second * 1000).toISOString().slice(11, 23)
  const cues = Array.from(
    { length: lines },
    (_, index) => `${at(index)} --> ${at(index + 1)}\nLine ${index}\n`,
  )
  return Buffer.from(`WEBVTT\n\n${cues.join('\n')}`).toString('base64')
}
const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0
/** How often each action is measured. The table has the median. */
const times = 3

const lines: string[] = []
const say = (line: string) => {
  console.log(line)
  lines.push(line)
}

const postgres = await startTestPostgres(() => {})
process.env.TEST_POSTGRES = JSON.stringify(postgres.connection)
try {
  const { startDashboard } = await import('../../test/support/dashboard.js')
  const { openBrowser } = await import('../../test/support/browser.js')
  const { openDatabase } = await import('../../packages/server/src/db/database.js')
  const dashboard = await startDashboard()
  const { api } = dashboard
  // The browser of the tests does not optimize scripts. This one does, as those of publishers.
  const browser = await openBrowser('--js-flags=')
  const one = openDatabase({ connection: api.connection, connections: 1 })
  await seedVideos(one, api.channel.channel._id, Number(values.videos), () => {})
  await one.close()
  const { response } = await api.as('admin').videos.list({ per_page: 1 })
  const videoId = response[0]?._id ?? ''
  await api.as('admin').playlists.create({ title: 'Winter' })
  await api.as('admin').subtitles.create(videoId, { language: 'en', file: subtitleOf(1000) })
  const paths = [...looked, `/videos/${videoId}`]
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
  for (const machine of values.answers ? [] : machines) {
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
    for (const [name, { at, before, act }] of Object.entries(actions)) {
      const took: number[] = []
      for (let time = 0; time < times; time += 1) {
        await measureLoad(page, session, `${line.url}/dashboard${at?.(videoId) ?? '/videos'}`)
        await before?.(page)
        took.push(await measureAnswer(page, act))
      }
      console.log(`${machine.name}: ${name}: ${took.map(ms).join(', ')}`)
      answers.get(name)?.push(ms(median(took)))
    }
    await page.context().close()
    await line.close()
  }
  for (const [name, took] of answers) say(`| ${name} | ${took.join(' | ')} |`)
  await browser.close()
  await dashboard.stop()
  const folder = new URL('../../bench/results/', import.meta.url)
  await mkdir(folder, { recursive: true })
  if (!values.answers) await writeFile(new URL('dashboard.md', folder), `${lines.join('\n')}\n`)
} finally {
  await postgres.stop()
  await rm(postgres.folder, { recursive: true, force: true })
}
