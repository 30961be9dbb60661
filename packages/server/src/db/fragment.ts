import type { Db } from './sql.js'
import { type Fragment, pieceOf } from './statement.js'

export { assignment, type Fragment, insertion, raw, statementOf } from './statement.js'

/** Makes a piece of SQL; pieces nest, anything else becomes a parameter. */
export const sql = (strings: TemplateStringsArray, ...values: unknown[]): Fragment => pieceOf(strings, values)

/** The condition that all of these hold. */
export const allOf = (conditions: readonly Fragment[]): Fragment =>
  conditions.reduce((left, right) => sql`${left} and ${right}`)

/** Runs a statement. Each row becomes a list of its values, as bytes: text that is only passed on. */
export async function runRaw(db: Db, fragment: Fragment): Promise<(Buffer | null)[][]> {
  const rows = await db.run(fragment).raw()
  return rows.map((row) => row.map((value) => (value === null ? null : Buffer.from(value))))
}
