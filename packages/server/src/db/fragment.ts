import type { Db } from './database.js'

/** A piece of SQL with its values, to be put together with others. */
export interface Fragment {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
}

/**
 * Makes a piece of SQL; pieces nest, anything else becomes a parameter. The driver's own fragments are promises, and a
 * list made of thirty of them took longer to put together than to read.
 */
export const sql = (strings: TemplateStringsArray, ...values: unknown[]): Fragment => ({ strings, values })

/** SQL taken as it is. Never for what a caller sent. */
export const raw = (text: string): Fragment => ({ strings: [text], values: [] })

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** `("a", "b") values ($1, $2)`: what follows `insert into`. */
export function insertion(row: Readonly<Record<string, unknown>>): Fragment {
  const names = Object.keys(row)
  const between = names.map((_, index) => (index === 0 ? `(${names.map(quoted).join(', ')}) values (` : ', '))
  return { strings: [...between, ')'], values: Object.values(row) }
}

/** `"a" = $1, "b" = $2`: what follows `set`. */
export function assignment(row: Readonly<Record<string, unknown>>): Fragment {
  const strings = Object.keys(row).map((name, index) => `${index === 0 ? '' : ', '}${quoted(name)} = `)
  return { strings: [...strings, ''], values: Object.values(row) }
}

const isFragment = (value: unknown): value is Fragment =>
  typeof value === 'object' && value !== null && 'strings' in value && 'values' in value

/** Runs a statement put together from pieces. */
export function run<Row extends object>(db: Db, fragment: Fragment): Promise<Row[]> {
  const { text, parameters } = statementOf(fragment)
  return db.unsafe<Row[]>(text, parameters as never, { prepare: true })
}

/** The same with each value as the bytes that came: text that is only passed on need not become a string and back. */
export function runRaw(db: Db, fragment: Fragment): Promise<(Buffer | null)[][]> {
  const { text, parameters } = statementOf(fragment)
  return db.unsafe(text, parameters as never, { prepare: true }).raw() as never
}

/** The text of a piece, and its values. */
export function statementOf(fragment: Fragment): { readonly text: string; readonly parameters: unknown[] } {
  const parameters: unknown[] = []
  return { text: write(fragment, parameters), parameters }
}

function write({ strings, values }: Fragment, parameters: unknown[]): string {
  let text = strings[0] ?? ''
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]
    text += isFragment(value) ? write(value, parameters) : `$${parameters.push(value)}`
    text += strings[index + 1] ?? ''
  }
  return text
}
