import type { SmtpServer } from './smtp-url.js'

/** The library's error. */
interface Failure {
  readonly message: string
  readonly code?: string
  readonly command?: string
  readonly response?: string
}

const longestReason = 200

/**
 * Explains a failure to the operator in a message that may be logged. Servers often repeat the recipient's
 * address, and the library's error contains it in several places, so this creates a new error without
 * addresses.
 */
export function explainSmtpFailure(error: unknown, server: SmtpServer, recipient: string): Error {
  const failure = error as Failure
  const where = `The mail server ${server.host}:${server.port}`
  if (failure.code === 'ETIMEDOUT')
    return new Error(`${where} took too long. Is SMTP_URL right, and is it up?`)
  const reason = withoutSecrets(failure.response ?? failure.message, server, recipient)
  if (failure.response !== undefined) return new Error(`${where} refused ${refusedPart(failure)}: ${reason}`)
  return new Error(`The connection to ${where.replace('The', 'the')} failed: ${reason}. Is SMTP_URL right?`)
}

function refusedPart({ code, command }: Failure): string {
  if (code === 'EAUTH') return 'the user and password of SMTP_URL'
  if (command === 'MAIL FROM') return 'the sender, MAIL_FROM'
  if (command === 'RCPT TO') return 'the recipient'
  return 'the mail'
}

function withoutSecrets(text: string, { login }: SmtpServer, recipient: string): string {
  const words = [recipient.slice(0, recipient.lastIndexOf('@')), login?.user ?? '', login?.pass ?? '']
  return (
    words
      .filter((word) => word !== '')
      .reduce(withoutWord, text.replace(/\S*@\S*/g, '…'))
      // Part of a link that the server quoted.
      .replace(/[0-9a-f]{24,}/gi, '…')
      .replace(/[\p{C}\s]+/gu, ' ')
      .slice(0, longestReason)
  )
}

function withoutWord(text: string, word: string): string {
  const exact = word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${exact}(?![\\p{L}\\p{N}])`, 'giu'), '…')
}
