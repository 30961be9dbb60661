import type { Mailer } from '../lib/message.js'
import type { SmtpLimits } from './smtp-mailer.js'

export interface MailerOptions {
  readonly smtpUrl: string | undefined
  readonly from: string
  /** The folder for mails while there is no mail server. */
  readonly outbox: string
  readonly log: { info(facts: object, message: string): void }
  readonly limits?: SmtpLimits
}

/**
 * Sends mail through the server of SMTP_URL, or writes it to files without one. Neither logs an address or a
 * text. The code is loaded with the first mail, because a start does not need it.
 */
export function openMailer(options: MailerOptions): Mailer {
  let opened: Promise<Mailer> | undefined
  return {
    async send(message) {
      opened ??= loadMailer(options)
      return (await opened).send(message)
    },
    async close() {
      await (await opened)?.close()
    },
  }
}

async function loadMailer({ smtpUrl, outbox, ...rest }: MailerOptions): Promise<Mailer> {
  if (smtpUrl === undefined) {
    const { openOutboxMailer } = await import('./outbox-mailer.js')
    return openOutboxMailer({ outbox, ...rest })
  }
  const { openSmtpMailer } = await import('./smtp-mailer.js')
  return openSmtpMailer({ smtpUrl, ...rest })
}
