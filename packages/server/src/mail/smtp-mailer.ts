import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { within } from '../lib/deadline.js'
import type { Mailer } from '../lib/message.js'
import { type Composed, compose } from './compose.js'
import { explainSmtpFailure } from './explain-failure.js'
import { readSmtpUrl, type SmtpServer } from './smtp-url.js'

export interface SmtpOptions {
  readonly smtpUrl: string
  readonly from: string
  readonly log: { info(facts: object, message: string): void }
  readonly limits?: SmtpLimits
}

/** Time limits for a mail server in milliseconds: until it greets, and overall. */
export interface SmtpLimits {
  readonly connectMs: number
  readonly wholeMs: number
}

const usualLimits: SmtpLimits = { connectMs: 10_000, wholeMs: 30_000 }

/** Sends every mail to the server of SMTP_URL over its own connection. */
export function openSmtpMailer({ smtpUrl, from, log, limits = usualLimits }: SmtpOptions): Mailer {
  const server = readSmtpUrl(smtpUrl)
  const busy = new Set<SMTPConnection>()
  return {
    async send(message) {
      const composed = await compose(message, from)
      const connection = connect(server, limits)
      busy.add(connection)
      try {
        const late = () => Object.assign(new Error('too late'), { code: 'ETIMEDOUT' })
        await within(limits.wholeMs, deliver(connection, server, composed), late)
      } catch (error) {
        throw explainSmtpFailure(error, server, composed.to)
      } finally {
        connection.close()
        busy.delete(connection)
      }
      log.info({ mail_id: composed.id }, 'mail handed to the mail server')
      return composed.id
    },
    async close() {
      for (const connection of busy) connection.close()
    },
  }
}

const connect = ({ host, port, secure }: SmtpServer, { connectMs, wholeMs }: SmtpLimits) =>
  new SMTPConnection({
    host,
    port,
    secure,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: wholeMs,
    // Reaches a mail server on the same machine even if the machine has no other network.
    allowInternalNetworkInterfaces: true,
  })

/** The steps of one delivery, which ends when the connection fails or closes at any step. */
function deliver(connection: SMTPConnection, { login }: SmtpServer, mail: Composed): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.on('error', reject)
    connection.once('end', () => reject(new Error('the connection was closed')))
    const hand = () =>
      connection.send({ from: mail.from, to: [mail.to], size: mail.raw.length }, mail.raw, (error) =>
        error ? reject(error) : resolve(),
      )
    connection.connect((error) => {
      if (error) reject(error)
      else if (login) connection.login({ ...login }, (refusal) => (refusal ? reject(refusal) : hand()))
      else hand()
    })
  })
}
