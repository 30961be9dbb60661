/** What the address leads to is not taken, and asking again changes nothing. The sentence names no address: viewers may read it. */
export class ImportRefused extends Error {}

/** It did not work this time. The sentence names no address either. */
export class ImportFailed extends Error {
  /** How long the other side wants to be left alone. */
  readonly waitSeconds: number
  /** The bytes that have arrived cannot be continued. */
  readonly beginsAnew: boolean

  constructor(message: string, { waitSeconds = 0, beginsAnew = false } = {}) {
    super(message)
    this.waitSeconds = waitSeconds
    this.beginsAnew = beginsAnew
  }
}
