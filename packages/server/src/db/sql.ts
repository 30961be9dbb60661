import {
  type Fragment,
  given,
  piece,
  pieceOf,
  type Send,
  type StatementRows,
  statementOf,
} from './statement.js'
import { written } from './values.js'

/** A column has the type that its reader expects of it. */
// biome-ignore lint/suspicious/noExplicitAny: the compiler does not know the columns of a statement
type Row = Record<string, any>

/** A statement. It is sent when somebody waits for it; before that, it can become a piece of another one. */
export interface Statement<Rows extends readonly unknown[]> extends Promise<StatementRows<Rows>>, Fragment {
  /** Sends it now. */
  execute(): Promise<StatementRows<Rows>>
  /** Each row becomes a list of its values as text. */
  raw(): Statement<(string | null)[][]>
  /** It is not prepared, so that the text may be several statements. */
  simple(): Statement<Rows>
}

/** A database or a transaction in it. Functions take it as their first argument and write tagged SQL with it. */
export interface Db {
  <Rows extends readonly unknown[] = Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly unknown[]
  ): Statement<Rows>
  /** Names of columns or tables, quoted; or a row, after `insert into …` or `set`. */
  (value: string | readonly string[] | object): Fragment
  /** A statement put together from pieces. */
  run<Rows extends readonly unknown[] = Row[]>(fragment: Fragment): Statement<Rows>
  /** A statement as text, with `$1` for its first value. Never for text that a caller sent. */
  unsafe<Rows extends readonly unknown[] = Row[]>(
    text: string,
    values?: readonly unknown[],
    options?: { readonly prepare?: boolean },
  ): Statement<Rows>
}

const isTemplate = (value: object | string): value is TemplateStringsArray =>
  Array.isArray(value) && 'raw' in value

/** Makes statements that `send` sends. */
export function taggedWith(send: Send, isPrepared: boolean): Db {
  const tag = (first: TemplateStringsArray | string | object, ...values: unknown[]) =>
    isTemplate(first) ? new LazyStatement(pieceOf(first, values), send, { isPrepared }) : given(first)
  return Object.assign(tag, {
    run: (fragment: Fragment) => new LazyStatement(fragment, send, { isPrepared }),
    unsafe: (text: string, beside: readonly unknown[] = [], { prepare = false } = {}) =>
      new LazyStatement(pieceOf([text], []), send, { beside, isPrepared: prepare && isPrepared }),
  }) as unknown as Db
}

interface StatementOptions {
  readonly isPrepared?: boolean
  readonly isRaw?: boolean
  /** The values of a text that names them itself. */
  readonly beside?: readonly unknown[]
}

class LazyStatement implements PromiseLike<StatementRows>, Fragment {
  readonly [piece] = true as const
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  readonly #send: Send
  readonly #options: StatementOptions
  #outcome: Promise<StatementRows> | undefined

  constructor({ strings, values }: Fragment, send: Send, options: StatementOptions) {
    this.strings = strings
    this.values = values
    this.#send = send
    this.#options = options
  }

  execute(): Promise<StatementRows> {
    this.#outcome ??= this.#start()
    return this.#outcome
  }

  #start(): Promise<StatementRows> {
    const { isPrepared = false, isRaw = false, beside } = this.#options
    const { text, values } = statementOf(this)
    return this.#send({ text, values: beside ? beside.map(written) : values, isPrepared, isRaw })
  }

  raw() {
    return new LazyStatement(this, this.#send, { ...this.#options, isRaw: true })
  }

  simple() {
    return new LazyStatement(this, this.#send, { ...this.#options, isPrepared: false })
  }

  // biome-ignore lint/suspicious/noThenProperty: to wait for a statement is to send it
  then<A = StatementRows, B = never>(
    onRows?: ((rows: StatementRows) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.execute().then(onRows, onError)
  }

  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null) {
    return this.execute().catch(onError)
  }

  finally(onEnd?: (() => void) | null) {
    return this.execute().finally(onEnd)
  }
}
