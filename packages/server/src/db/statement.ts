import { castOf, written } from './values.js'

/** Marks pieces of SQL. Nothing that a caller sent has it: JSON, forms and XML have no symbols. */
export const piece: unique symbol = Symbol('piece of SQL')

/** A piece of SQL with its values, to be put together with others. */
export interface Fragment {
  readonly [piece]: true
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
}

export const pieceOf = (strings: readonly string[], values: readonly unknown[]): Fragment => ({
  [piece]: true,
  strings,
  values,
})

/** A statement as it is sent. */
export interface SentStatement {
  /** With `$1` for the first value. */
  readonly text: string
  readonly values: readonly (string | Uint8Array | null)[]
  /** PostgreSQL keeps it, and plans it once. */
  readonly isPrepared: boolean
  /** Each row is a list of the values as text. */
  readonly isRaw: boolean
}

/** The rows that a statement returned. */
export type StatementRows<Rows extends readonly unknown[] = readonly unknown[]> = Rows & {
  /** How many rows it returned or changed. */
  readonly count: number
  /** What PostgreSQL called the session when it was opened: the pid of its process. */
  readonly session: number
}

export type Send = (statement: SentStatement) => Promise<StatementRows>

type WrittenRow = Readonly<Record<string, unknown>>

/** Rows whose columns are written, or one row whose columns are set: `${db({ a: 1 })}`. */
class GivenRows {
  readonly rows: readonly WrittenRow[]
  constructor(rows: readonly WrittenRow[]) {
    this.rows = rows
  }
}

/** SQL taken as it is. Never for what a caller sent. */
export const raw = (text: string): Fragment => pieceOf([text], [])

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** `("a", "b") values ($1, $2)`: what follows `insert into`. All rows have the columns of the first. */
export function insertion(...rows: readonly WrittenRow[]): Fragment {
  const names = Object.keys(rows[0] ?? {})
  const between = rows.flatMap((_, row) =>
    names.map((_, index) =>
      index > 0 ? ', ' : row > 0 ? '), (' : `(${names.map(quoted).join(', ')}) values (`,
    ),
  )
  return pieceOf(
    [...between, ')'],
    rows.flatMap((row) => names.map((name) => row[name])),
  )
}

/** `"a" = $1, "b" = $2`: what follows `set`. */
export function assignment(row: WrittenRow): Fragment {
  const strings = Object.keys(row).map((name, index) => `${index === 0 ? '' : ', '}${quoted(name)} = `)
  return pieceOf([...strings, ''], Object.values(row))
}

/** A name, names, a row, or rows. */
export function given(value: string | readonly string[] | object): Fragment | GivenRows {
  if (typeof value === 'string') return raw(quoted(value))
  if (!Array.isArray(value)) return new GivenRows([value as WrittenRow])
  return typeof value[0] === 'object' ? new GivenRows(value) : raw(value.map(quoted).join(', '))
}

/** The rows as PostgreSQL reads them behind this text. */
const rowsAfter = (text: string, { rows }: GivenRows) =>
  /\sset\s+$/.test(text) ? assignment(rows[0] ?? {}) : insertion(...rows)

const isFragment = (value: object): value is Fragment => piece in value

/** The text of a piece, and its values. */
export function statementOf(fragment: Fragment): Pick<SentStatement, 'text' | 'values'> {
  const values: (string | Uint8Array | null)[] = []
  return { text: write('', fragment, values), values }
}

function write(before: string, { strings, values }: Fragment, sent: (string | Uint8Array | null)[]): string {
  let text = before + (strings[0] ?? '')
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]
    if (typeof value === 'object' && value !== null && isFragment(value)) text = write(text, value, sent)
    else if (value instanceof GivenRows) text = write(text, rowsAfter(text, value), sent)
    else text += `$${sent.push(written(value))}${castOf(value)}`
    text += strings[index + 1] ?? ''
  }
  return text
}
