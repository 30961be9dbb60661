/** The file at the address cannot be imported, and another attempt changes nothing. Viewers may read the message, so it names no address. */
export class ImportRefused extends Error {}

/** This attempt failed, and another one may succeed. The message names no address either. */
export class ImportFailed extends Error {
  /** How long the server asks us to wait (Retry-After). */
  readonly waitSeconds: number
  /** The bytes that have arrived cannot be continued, so the next attempt starts from the beginning. */
  readonly beginsAnew: boolean

  constructor(message: string, { waitSeconds = 0, beginsAnew = false } = {}) {
    super(message)
    this.waitSeconds = waitSeconds
    this.beginsAnew = beginsAnew
  }
}
