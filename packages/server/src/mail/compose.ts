import { createTransport } from 'nodemailer'
import type { Message } from '../lib/message.js'
import { newId } from '../lib/object-id.js'

/** A message as it travels: its bytes (RFC 5322), and the two addresses for the envelope. */
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

/** One address and nothing else: no list, no comment, no line end. */
const oneAddress = /^[^\s\p{C}@<>()[\]\\,;:"]+@[^\s\p{C}@<>()[\]\\,;:"]+$/u
const longestAddress = 254
const longestName = 200
// RFC 5322, 2.1.1: a line has at most 998 characters. The library would break lines beyond 76, and links with them,
// which a person who reads the file in the outbox could not copy.
const fitsSevenBit = /^(?:[\t\x20-\x7e]{0,998}(?:\r?\n|$))*$/
const plainPart = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n'

/** Writes a message down. What callers put in can neither add a header nor a recipient. */
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
    // RFC 3834: no absence notice is wanted in return.
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
  return { id, from, to, raw: raw as Buffer }
}

const oneLine = (text: string): string =>
  text
    .slice(0, longestName)
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
