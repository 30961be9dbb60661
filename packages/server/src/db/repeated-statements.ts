import type postgres from 'postgres'

/** The members of the driver's queries that are of interest here. */
interface DriverQuery {
  readonly strings: readonly string[]
  readonly reject: (error: unknown) => void
  resolve: (result: unknown) => void
  /** The values as they are sent. */
  parameters: readonly unknown[] | undefined
}

/**
 * The driver repeats a prepared statement by itself when PostgreSQL has lost it, or when its columns have changed since, as
 * after a migration. Two things go wrong then. It encodes the values a second time: true becomes false, a digest one that
 * matches no row, JSON a text of JSON (https://github.com/porsager/postgres/issues/1197). And where the statement is a
 * commit, the transaction has been undone by the failure, but the repeated commit succeeds.
 */
export function mendRepeats(pool: postgres.Sql<Record<string, never>>): void {
  // A query is not sent before somebody waits for it.
  const queries: object = Object.getPrototypeOf(pool`select`)
  if (Object.hasOwn(queries, 'retried')) return
  const failures = new WeakMap<object, unknown>()
  Object.defineProperty(queries, 'retried', {
    get() {
      return failures.get(this)
    },
    /** The driver notes the failure here before it sends the statement again. */
    set(this: DriverQuery, failure: unknown) {
      failures.set(this, failure)
      this.parameters = undefined
      if (this.strings[0] === 'commit') this.resolve = () => this.reject(failure)
    },
  })
}
