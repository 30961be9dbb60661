import { randomBytes } from 'node:crypto'

/** The names under which sessions of PostgreSQL keep prepared statements, by their text. */
export interface StatementNames {
  /** Undefined if there are enough already: requests choose fields and filters, and sessions keep what they prepared. */
  nameOf(text: string): string | undefined
  /**
   * PostgreSQL has lost the statement, or its columns have changed since it was prepared, as after a migration. The same is
   * likely true of the others, so all of them get new names, and are prepared again.
   */
  retire(name: string): void
}

/** More texts than the server has of its own. Others are planned each time. */
const mostNames = 1000

export function statementNames(): StatementNames {
  // Behind a pooler, an earlier process may have left its statements in the session.
  const prefix = randomBytes(6).toString('hex')
  let names = new Map<string, string>()
  let generation = 1
  const current = () => `${prefix}_${generation}_`
  return {
    nameOf(text) {
      const known = names.get(text)
      if (known !== undefined || names.size >= mostNames) return known
      const name = `${current()}${names.size}`
      names.set(text, name)
      return name
    },
    retire(name) {
      // Others have failed for the same reason, and have new names already.
      if (!name.startsWith(current())) return
      generation += 1
      names = new Map()
    },
  }
}
