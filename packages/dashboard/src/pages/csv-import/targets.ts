import { catalog, type Field } from '@zoetrope/contract'
import { videoWords } from '@zoetrope/contract/words/videos'
import type { Entry } from '../../data/records.js'
import { wordsFor } from '../../ui/field-words.js'
import { problemOf } from '../../ui/resource-form/problems.js'
import { strings } from './strings.js'

export type Category = Pick<Entry<'categories'>, '_id' | 'title' | 'values'>

/** The target of a column: a field name, `category <id>`, `custom <name>`, or an empty string to ignore it. */
export type Target = string

const kinds = new Set<Field['kind']>([
  'text',
  'flag',
  'integer',
  'number',
  'money',
  'choice',
  'timestamp',
  'list',
])
const without = new Set(['zobject_id', 'zobject_ids', 'preview_ids', 'delete_custom_thumbnail'])

const fieldOf = (name: string): Field | undefined =>
  (catalog.videos.fields as Readonly<Record<string, Field>>)[name]

/** The fields that can be written as text in a cell. */
export const fieldTargets: readonly string[] = Object.entries(catalog.videos.fields as Record<string, Field>)
  .filter(([name, { computed, kind }]) => !computed && kinds.has(kind) && !without.has(name))
  .map(([name]) => name)

const others: Readonly<Record<string, string>> = {
  name: 'title',
  url: 'source_url',
  video_url: 'source_url',
  file: 'source_url',
  file_url: 'source_url',
  film: 'source_url',
  tags: 'keywords',
  tag: 'keywords',
  id: 'source_id',
  external_id: 'source_id',
  video_id: 'source_id',
  date: 'published_at',
  publish_date: 'published_at',
  published: 'active',
  summary: 'short_description',
  age_rating: 'parental_guidelines_rating',
  rating: 'parental_guidelines_rating',
  thumbnail: 'custom_thumbnail_url',
  thumbnail_url: 'custom_thumbnail_url',
}

/** Guesses the target of a column from its name. Returns an empty string if no target fits. */
export function guessTarget(column: string, categories: readonly Category[]): Target {
  const words = column.trim().toLowerCase()
  const category = categories.find(({ title }) => title.toLowerCase() === words)
  if (category) return `category ${category._id}`
  const name = words.replaceAll(/[\s-]+/g, '_')
  return fieldTargets.includes(name) ? name : (others[name] ?? '')
}

export function nameOfTarget(target: Target, categories: readonly Category[]): string {
  const [kind, rest = ''] = splitTarget(target)
  if (kind === 'category') return strings.category(categories.find(({ _id }) => _id === rest)?.title ?? rest)
  return kind === 'custom' ? strings.custom(rest) : wordsFor(videoWords, target).label
}

const splitTarget = (target: Target): readonly [string, string?] => {
  const space = target.indexOf(' ')
  return space < 0 ? [target] : [target.slice(0, space), target.slice(space + 1)]
}

type Read = { readonly value: unknown } | { readonly problem: string }

const yes = new Set(['true', 'yes', 'y', '1', 'x'])
const no = new Set(['false', 'no', 'n', '0'])

/**
 * An item of a list separated by commas, semicolons or bars. Quoted items may contain separators, and a doubled quote
 * stands for one quote.
 */
const listItems = /\s*"((?:[^"]|"")*)"\s*(?=[|,;]|$)|[^|,;]+/g

const listOf = (text: string): readonly string[] =>
  [...text.matchAll(listItems)]
    .map(([plain, quoted]) => (quoted?.replaceAll('""', '"') ?? plain).trim())
    .filter((each) => each !== '')

function readTime(text: string): Read {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN
  return Number.isNaN(time) ? { problem: strings.value.time } : { value: new Date(time).toISOString() }
}

const readers: { readonly [K in Field['kind']]?: (text: string, field: Field) => Read } = {
  flag(text) {
    const word = text.toLowerCase()
    if (yes.has(word)) return { value: true }
    return no.has(word) ? { value: false } : { problem: strings.value.flag }
  },
  integer: readNumber,
  number: readNumber,
  money: (text) => ({ value: text.replace(',', '.').replace(/^[^\d]+/, '') }),
  choice(text, field) {
    const options = field.kind === 'choice' ? field.options.map(String) : []
    const value = options.find((option) => option === text.toLowerCase())
    return value === undefined ? { problem: strings.value.choice(options.join(', ')) } : { value }
  },
  timestamp: readTime,
  list: (text) => ({ value: listOf(text) }),
}

function readNumber(text: string): Read {
  const value = Number(text.replace(',', '.'))
  return Number.isFinite(value) ? { value } : { problem: strings.value.number }
}

function readField(name: string, text: string): Read {
  const field = fieldOf(name)
  if (!field) return { problem: name }
  const read = readers[field.kind]?.(text, field) ?? { value: text }
  if ('problem' in read) return read
  const problem = problemOf(field, read.value, true)
  return problem ? { problem } : read
}

export interface ReadRow {
  readonly fields: Record<string, unknown>
  readonly problems: string[]
}

function addCategory(row: ReadRow, text: string, category: Category | undefined): void {
  if (!category) return
  const values = listOf(text)
  const unknown = values.find((value) => !category.values.includes(value))
  if (unknown) row.problems.push(strings.value.categoryValue(category.title, unknown))
  const changes = (row.fields.categories_attributes ?? []) as object[]
  row.fields.categories_attributes = [...changes, { category_id: category._id, value: values }]
}

function addCell(row: ReadRow, target: Target, text: string, categories: readonly Category[]): void {
  const [kind, rest = ''] = splitTarget(target)
  if (kind === 'category')
    addCategory(
      row,
      text,
      categories.find(({ _id }) => _id === rest),
    )
  else if (kind === 'custom')
    row.fields.custom_attributes = { ...(row.fields.custom_attributes as object), [rest]: text }
  else addField(row, target, text)
}

function addField(row: ReadRow, name: string, text: string): void {
  const read = readField(name, text)
  if ('problem' in read) row.problems.push(`${wordsFor(videoWords, name).label}: ${read.problem}`)
  else row.fields[name] = read.value
}

/** Reads the cells of a row as fields of a video. Empty cells are ignored. */
export function readRow(
  cells: readonly string[],
  targets: readonly Target[],
  categories: readonly Category[],
): ReadRow {
  const row: ReadRow = { fields: {}, problems: [] }
  if (cells.length > targets.length) row.problems.push(strings.value.columns)
  for (const [index, target] of targets.entries()) {
    const text = cells[index] ?? ''
    if (target !== '' && text !== '') addCell(row, target, text, categories)
  }
  return row
}
