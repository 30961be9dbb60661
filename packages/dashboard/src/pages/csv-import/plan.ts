import { strings } from './strings.js'
import { type Category, readRow, type Target } from './targets.js'

/** A row of the file, ready to send, or with its problems. */
export interface PlannedRow {
  /** The row number in a spreadsheet: the first row below the header is 2. */
  readonly number: number
  readonly cells: readonly string[]
  /** Identifies the row when the file is imported again. */
  readonly key: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly problems: readonly string[]
}

/** The file name in a URL, without its extension. */
function titleFrom(address: unknown): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined
  const name = decodeURIComponentSafely(new URL(address).pathname.split('/').at(-1) ?? '')
  return name.replace(/\.[^.]+$/, '') || undefined
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const prime = 0x100000001b3n
const mask = 0xffffffffffffffffn

/** FNV-1a with 64 bits. Browsers offer digests only to pages loaded over HTTPS. */
function hashOf(bytes: Uint8Array, start: bigint): string {
  let hash = start
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * prime) & mask
  return hash.toString(16).padStart(16, '0')
}

/** A stable key: the same text always gives the same key. */
function keyOf(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return `csv-${hashOf(bytes, 0xcbf29ce484222325n)}${hashOf(bytes, 0x84222325cbf29ce4n)}`
}

function planRow(
  cells: readonly string[],
  number: number,
  targets: readonly Target[],
  categories: readonly Category[],
): PlannedRow {
  const { fields, problems } = readRow(cells, targets, categories)
  const title = fields.title ?? titleFrom(fields.source_url)
  if (title === undefined) problems.push(strings.value.title)
  const key =
    typeof fields.source_id === 'string'
      ? fields.source_id
      : keyOf(JSON.stringify([title ?? '', fields.source_url ?? '']))
  return { number, cells, key, fields: { ...fields, title, source_id: key }, problems }
}

/** Plans all rows of a file. A row that repeats the key of an earlier one gets a problem. */
export function planRows(
  rows: readonly (readonly string[])[],
  targets: readonly Target[],
  categories: readonly Category[],
): readonly PlannedRow[] {
  const planned = rows.map((cells, index) => planRow(cells, index + 2, targets, categories))
  const first = new Map<string, number>()
  return planned.map((row) => {
    const before = first.get(row.key)
    if (before === undefined) first.set(row.key, row.number)
    return before === undefined
      ? row
      : { ...row, problems: [...row.problems, strings.value.repeated(before)] }
  })
}
