import fc from 'fast-check'
import { pick, type Random, weighted } from './choose.js'
import { jsonText } from './hostile-values.js'
import type { Ids } from './valid-values.js'

export type Tree = Readonly<Record<string, unknown>>

/** A request's fields with one change, and its name. */
export interface Changed {
  readonly fields: Tree
  /** The JSON of the new value, which `mark` stands for in `fields`. It may be invalid. */
  readonly raw: string | undefined
  readonly change: string
}

/** Marks the place in the fields where text is inserted that no value can express. */
export const mark = 'the-changed-value-stands-here'

type Path = readonly (string | number)[]

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || path.length > 4) return [path]
  const inside = Object.entries(value).flatMap(([key, inner]) =>
    pathsIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return path.length === 0 ? inside : [path, ...inside]
}

const valueAt = (tree: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], tree)

const gone = Symbol('gone')

function withValue(tree: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(tree)) {
    const changed = tree.map((item, index) => (index === key ? withValue(item, rest, value) : item))
    return changed.filter((item) => item !== gone)
  }
  const entries = Object.entries(tree as Tree).map(([name, inner]): [string, unknown] => [
    name,
    name === key ? withValue(inner, rest, value) : inner,
  ])
  return Object.fromEntries(entries.filter(([, inner]) => inner !== gone))
}

const edges = [
  ...['-1', '0', '-0', '1e400', '-1e400', '1e-400', '0.1', '2147483647', '2147483648', '-2147483649'],
  ...['9007199254740993', '9223372036854775808', '123456789012345678901234567890', '1e308', '255.5'],
]
const moments = [
  ...['0000-01-01T00:00:00Z', '-0001-01-01T00:00:00Z', '-271821-04-20T00:00:00Z', '+275760-09-13T00:00:00Z'],
  ...['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59-23:59', '0000-12-31T23:59:59+23:59', '10000-01-01'],
  ...[
    '2026-02-29',
    '2026-12-31T23:59:60Z',
    '2026-03-29T02:30:00',
    'infinity',
    'epoch',
    '294276-12-31T23:59:59Z',
  ],
  ...['4713-01-01 BC', '1e20', '99999999999999', '-99999999999999', '253402300800', ''],
]
const further = [
  '_id',
  'id',
  'site_id',
  'created_at',
  'updated_at',
  'deleted_at',
  '_destroy',
  'status',
  'version',
  'unknown',
]

type Change = (value: unknown, random: Random, others: Ids) => { value?: unknown; raw?: string }

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))

/** Every kind of change to one value. */
const changes = {
  removed: () => ({ value: gone }),
  null: () => ({ value: null }),
  'hostile JSON': (_, random) => ({
    raw: fc.sample(jsonText, { numRuns: 1, seed: Math.floor(random() * 2 ** 31) })[0] ?? 'null',
  }),
  'a number at the edge': (_, random) => ({ raw: pick(random, edges) }),
  'a number as text': (_, random) => ({ value: pick(random, edges) }),
  'a moment at the edge': (_, random) => ({ value: pick(random, moments) }),
  'a list of it': (value) => ({ value: [value] }),
  'an object of it': (value) => ({ value: { value } }),
  // Fewer copies of a long value: another test covers uploads that are refused halfway.
  'hundreds of it': (value) => ({
    value: Array.from(
      { length: Math.min(300, Math.ceil(900_000 / (asText(value).length + 1))) },
      () => value,
    ),
  }),
  'nested forty times': (value) => ({
    value: Array.from({ length: 40 }).reduce((inner) => ({ a: inner }), value),
  }),
  'a flag': (_, random) => ({ value: random() < 0.5 }),
  'an empty text': () => ({ value: '' }),
  'a NUL in it': (value) => ({ value: `${asText(value)}\u0000` }),
  'half a surrogate in it': (value) => ({ raw: `${JSON.stringify(asText(value)).slice(0, -1)}\\ud800"` }),
  'a very long text': (value) => ({ value: asText(value).padEnd(60_000, 'é') }),
  'one letter too many': (value) => ({ value: `${asText(value)}x` }),
  'capital letters': (value) => ({ value: asText(value).toUpperCase() }),
  'an id of another channel': (_, random, others) => ({ value: pick(random, Object.values(others).flat()) }),
  'an id of nothing': () => ({ value: '0123456789abcdef01234567' }),
} as const satisfies Record<string, Change>

/** Changes one thing in the fields, at any depth. */
export function changed(fields: Tree, random: Random, others: Ids): Changed {
  const paths = pathsIn(fields)
  const way = weighted(random, {
    value: paths.length > 0 ? 80 : 0,
    added: 14,
    doubled: paths.length > 0 ? 6 : 0,
    nothing: 6,
  })
  if (way === 'nothing') return { fields, raw: undefined, change: 'nothing' }
  const name = pick(random, Object.keys(changes) as (keyof typeof changes)[])
  if (way === 'added') {
    const field = pick(random, further)
    const { value, raw } = (changes[name] as Change)('x', random, others)
    const filled = raw === undefined ? (value === gone ? 'x' : value) : mark
    return { fields: { ...fields, [field]: filled }, raw, change: `${field} added: ${name}` }
  }
  const path = pick(random, paths)
  const before = valueAt(fields, path)
  if (way === 'doubled') {
    const twice = `${JSON.stringify(before) ?? 'null'}, ${JSON.stringify(path.at(-1))}: "again"`
    return { fields: withValue(fields, path, mark) as Tree, raw: twice, change: `${path.join('.')}: doubled` }
  }
  const { value, raw } = (changes[name] as Change)(before, random, others)
  return {
    fields: withValue(fields, path, raw === undefined ? value : mark) as Tree,
    raw,
    change: `${path.join('.')}: ${name}`,
  }
}
