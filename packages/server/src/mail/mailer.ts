import type { Mailer } from '../lib/message.js'
import { openOutboxMailer } from './outbox-mailer.js'
import { openSmtpMailer, type SmtpLimits } from './smtp-mailer.js'

export interface MailerOptions {
  readonly smtpUrl: string | undefined
  readonly from: string
  /** The folder for mails as long as there is no mail server. */
  readonly outbox: string
  readonly log: { info(facts: object, message: string): void }
  readonly limits?: SmtpLimits
}

/** Sends mail through the server of SMTP_URL; without one, keeps it in files. Neither logs an address or a text. */
export const openMailer = ({ smtpUrl, outbox, ...rest }: MailerOptions): Mailer =>
  smtpUrl === undefined ? openOutboxMailer({ outbox, ...rest }) : openSmtpMailer({ smtpUrl, ...rest })
