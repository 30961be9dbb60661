import { createTransport } from 'nodemailer'
import type { Message } from '../lib/message.js'
import { newId } from '../lib/object-id.js'

/** A composed message: its bytes (RFC 5322), and the envelope's two addresses. */
export interface Composed {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly raw: Buffer
}

const composer = createTransport({
  streamTransport: true,
  buffer: true,
  newline: 'windows',
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** Exactly one address: no list, no comment, no line break. */
const oneAddress = /^[^\s\p{C}@<>()[\]\\,;:"]+@[^\s\p{C}@<>()[\]\\,;:"]+$/u
const longestAddress = 254
const longestName = 200
// RFC 5322, 2.1.1: a line has at most 998 characters. The library would break lines at 76, and with them
// links, which could then not be copied from the file in the outbox.
const fitsSevenBit = /^(?:[\t\x20-\x7e]{0,998}(?:\r?\n|$))*$/
const plainPart = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n'

/** Composes a message. Callers' values cannot add a header or a recipient. */
export async function compose(message: Message, from: string): Promise<Composed> {
  const { to } = message
  if (to.length > longestAddress || !oneAddress.test(to))
    throw new Error('The mail was not sent: its recipient is not one mail address.')
  const id = newId()
  const { message: raw } = await composer.sendMail({
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    from: { name: oneLine(message.fromName ?? ''), address: from },
    to: { name: '', address: to },
    envelope: { from, to },
    subject: oneLine(message.subject),
    text: fitsSevenBit.test(message.text) ? { raw: plainPart + message.text } : message.text,
    html: message.html,
    // RFC 3834: asks for no out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
  return { id, from, to, raw: raw as Buffer }
}

const oneLine = (text: string): string =>
  text
    .slice(0, longestName)
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
