interface Facts {
  readonly status: number
  readonly code: string
  readonly errors?: Readonly<Record<string, readonly string[]>>
  readonly requestId?: string
  readonly retryAfter?: number
  readonly cause?: unknown
}

/** A call that failed. `message` is the server's own sentence where it sent one. */
export class ZoetropeError extends Error {
  override readonly name = 'ZoetropeError'
  /** The HTTP status, or 0 if there was no response. */
  readonly status: number
  /** The server's code (the `error` of the token endpoints), or one of ours: `network`, `timeout`, `redirected`, `unreadable`. */
  readonly code: string
  /** Errors by field; empty unless the status is 422. */
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined
  /** Seconds to wait before trying again, where the server said so. */
  readonly retryAfter: number | undefined

  constructor(message: string, { status, code, errors = {}, requestId, retryAfter, cause }: Facts) {
    super(message, { cause })
    this.status = status
    this.code = code
    this.errors = errors
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}
