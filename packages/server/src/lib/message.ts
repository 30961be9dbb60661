/** A mail to one person, as plain text and as HTML. */
export interface Message {
  readonly to: string
  readonly fromName?: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface Mailer {
  /** Sends a message; returns the id it is logged under. */
  send(message: Message): Promise<string>
  close(): Promise<void>
}
