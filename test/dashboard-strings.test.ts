import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventSubjects, milestones, otherEvents } from '@zoetrope/contract'
import { strings as activity } from '../packages/dashboard/src/ui/activity/strings.js'
import { labelOf } from '../packages/dashboard/src/ui/labels.js'
import { readSources, type Source, withoutComments } from './support/sources.js'

type Texts = Readonly<Record<string, unknown>>

const folder = 'packages/dashboard/src'
const isTexts = ({ path }: Source) => path.endsWith('/strings.ts')

/** The texts that a page passes to the generic pages as a group; see RecordStrings. */
const given = ['title', 'about', 'create', 'empty', 'emptyAbout']

/** Returns the keys of texts that no code uses. A group that is passed as a whole counts as used in full. */
function unusedIn(texts: Texts, code: string, path = 'strings'): string[] {
  const isNamed = (name: string) => new RegExp(`\\b${path.replaceAll('.', '\\.')}\\.${name}\\b`).test(code)
  const isChosen = (name: string) => code.includes(`${path}[`) && code.includes(`'${name}'`)
  return Object.entries(texts).flatMap(([name, value]) => {
    const inner = `${path}.${name}`
    if (!isNamed(name) && !isChosen(name)) return [inner]
    const isWhole = new RegExp(`\\b${inner.replaceAll('.', '\\.')}\\b(?!\\.[a-zA-Z])`).test(code)
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isGroup && isNamed(name) && !isWhole ? unusedIn(value as Texts, code, inner) : []
  })
}

test('every text of the dashboard is shown somewhere', async () => {
  const sources = await readSources(folder)
  const files = sources.filter(isTexts)
  assert.ok(files.length > 20)
  const unused: string[] = []
  for (const { path } of files) {
    const home = path.slice(0, path.lastIndexOf('/'))
    const isReader = (other: Source) =>
      !isTexts(other) &&
      (other.path.startsWith(`${home}/`) || other.text.includes(`/${home.split('/').at(-1)}/strings.js'`))
    const code = sources
      .filter(isReader)
      .map(({ text }) => withoutComments(text))
      .join('\n')
    const { strings } = (await import(`../${path}`)) as { strings: Texts }
    const isGiven = /\bstrings,|\.\.\.strings\b/.test(code)
    for (const name of unusedIn(strings, code))
      if (!isGiven || !given.includes(name.replace('strings.', ''))) unused.push(`${path}: ${name}`)
  }
  assert.deepEqual(unused, [])
})

test('a text that nothing shows is found, at every depth', () => {
  const texts = { a: 'A', b: { c: 'C', d: 'D' }, e: { f: 'F' }, g: 'G' }
  assert.deepEqual(unusedIn(texts, 'strings.b.c + strings.e[key]'), ['strings.a', 'strings.b.d', 'strings.g'])
})

test('ratings and short words are written as people write them', () => {
  const names = [
    'tv-y7_fv',
    'pg-13',
    'nc-17',
    'pg',
    'r',
    'ip_address',
    'dma_codes',
    'enable_at',
    'source_url',
  ]
  const words = [
    'TV-Y7-FV',
    'PG-13',
    'NC-17',
    'PG',
    'R',
    'IP address',
    'DMA codes',
    'Enable at',
    'Source URL',
  ]
  assert.deepEqual(names.map(labelOf), words)
})

/** The only file that formats numbers, dates and plurals. Time zones are data, not texts. */
const formatter = `${folder}/ui/numbers.ts`
const formats = /\.toLocale(Date|Time)?String\(|\bIntl\.(?!DateTimeFormat\(\)\.resolvedOptions)/

test('numbers, dates and plurals are formatted in one file', async () => {
  const wrong = (await readSources(folder)).filter((source) => {
    const code = withoutComments(source.text)
    return source.path !== formatter && (formats.test(code) || (isTexts(source) && /=== 1 \?/.test(code)))
  })
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  )
})

test('forms never show the descriptions of the API', async () => {
  const wrong = (await readSources(folder)).filter(({ text }) => /\bfield\.about\b/.test(text))
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  )
})

test('activity has a word for every kind of record that has events, and a sentence for every type', () => {
  assert.deepEqual(
    eventSubjects.filter((name) => !Object.hasOwn(activity.nouns, name)),
    [],
  )
  const types = Object.keys({ ...milestones, ...otherEvents })
  assert.deepEqual(
    types.filter(
      (type) =>
        !Object.hasOwn(activity.special, type) &&
        !Object.hasOwn(activity.sentences, type.split('.')[1] ?? ''),
    ),
    [],
  )
})
