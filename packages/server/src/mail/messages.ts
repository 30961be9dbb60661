import type { Role } from '@zoetrope/contract'
import { type Html, html } from '../lib/html.js'
import type { Message } from '../lib/message.js'

/** A mail without its recipient. */
export type Letter = Omit<Message, 'to'>

interface MailReader {
  readonly channelTitle: string
  readonly name: string | null | undefined
}

interface LinkFor extends MailReader {
  readonly url: string
  /** How long the link works. */
  readonly hours: number
}

/** For a viewer who forgot the password: a link that sets a new one. */
export const resetPasswordMail = ({ channelTitle, name, url, hours }: LinkFor): Letter =>
  letter({
    channelTitle,
    name,
    subject: `Choose a new password for ${channelTitle}`,
    before: [`Somebody, most likely you, asked for a new password for ${channelTitle}.`],
    link: { label: 'Choose a new password', url },
    after: [
      `The link works once, for ${duration(hours)}.`,
      'If it was not you, ignore this mail. Your password stays as it is.',
    ],
  })

const roleNames: Readonly<Record<Role, string>> = {
  owner: 'an owner',
  editor: 'an editor',
  viewer: 'a guest',
}

/** For somebody who is invited to the team of a channel. */
export const invitationMail = ({
  channelTitle,
  name,
  role,
  url,
}: MailReader & { readonly role: Role; readonly url: string }): Letter =>
  letter({
    channelTitle,
    name,
    subject: `You are invited to ${channelTitle}`,
    before: [`You are invited to the team of ${channelTitle} as ${roleNames[role]}.`],
    link: { label: 'Open the invitation', url },
    after: [
      'The link works once, for seven days. Do not pass it on: anyone who opens it can accept in your name.',
      'If you do not know what this is about, ignore this mail. Nothing happens without you.',
    ],
  })

/** For a viewer who gave an address: a link that proves it is theirs. */
export const verifyEmailMail = ({ channelTitle, name, url, hours }: LinkFor): Letter =>
  letter({
    channelTitle,
    name,
    subject: `Confirm your address for ${channelTitle}`,
    before: [`This address was given for an account at ${channelTitle}. Please confirm that it is yours.`],
    link: { label: 'Confirm this address', url },
    after: [
      `The link works for ${duration(hours)}.`,
      'If you have no account there, ignore this mail. Nothing happens without your confirmation.',
    ],
  })

/** Warns a viewer whose password was changed, in case someone else did it. */
export const passwordChangedMail = ({ channelTitle, name }: MailReader): Letter =>
  letter({
    channelTitle,
    name,
    subject: `Your password for ${channelTitle} was changed`,
    before: [
      `Your password for ${channelTitle} was changed, and every device was signed out. Sign in again with the new one.`,
      'If it was not you, choose a new password now with "Forgotten password" where you sign in.',
    ],
  })

/** Warns the previous address of a viewer, in case someone else changed it. */
export const emailChangedMail = ({ channelTitle, name }: MailReader): Letter =>
  letter({
    channelTitle,
    name,
    subject: `Your address for ${channelTitle} was changed`,
    before: [
      `Your account at ${channelTitle} has another e-mail address now. This one can no longer be used to sign in.`,
      `If it was not you, write to ${channelTitle} at once.`,
    ],
  })

/** Warns a viewer whose account a device was linked to, in case someone else did it. */
export const linkedDeviceMail = ({
  channelTitle,
  name,
  appTitle,
  at,
}: MailReader & { readonly appTitle: string; readonly at: Date }): Letter =>
  letter({
    channelTitle,
    name,
    subject: `A device was linked to your account at ${channelTitle}`,
    before: [
      `A device with the app ${appTitle} was linked to your account at ${channelTitle} on ${moment(at)}.`,
      'If it was not you, choose a new password now with "Forgotten password" where you sign in. That signs every device out.',
    ],
  })

export const webhookOffMail = ({
  channelTitle,
  name,
  url,
  reason,
  address,
  eventDays,
}: MailReader & {
  readonly url: string
  readonly reason: string
  readonly address: string
  readonly eventDays: number
}): Letter =>
  letter({
    channelTitle,
    name,
    subject: `A webhook of ${channelTitle} was switched off`,
    before: [`Events are no longer sent to ${url}.`, reason],
    link: { label: 'Open the webhook', url: address },
    after: [
      `When the receiver works again, switch the webhook on there and press Replay. Events are kept for ${eventDays === 1 ? 'one day' : `${eventDays} days`}.`,
    ],
  })

interface MailContent extends MailReader {
  readonly subject: string
  readonly before: readonly string[]
  readonly link?: { readonly label: string; readonly url: string }
  readonly after?: readonly string[]
}

function letter({ channelTitle, name, subject, before, link, after = [] }: MailContent): Letter {
  const hello = greeting(name)
  const paragraphs = [hello, ...before, ...(link ? [`${link.label}:\n${link.url}`] : []), ...after]
  return {
    fromName: channelTitle,
    subject,
    text: `${paragraphs.join('\n\n')}\n\n-- \n${channelTitle}\n`,
    html: page(
      subject,
      html`${[hello, ...before].map(paragraph)}${link && button(link)}${after.map(paragraph)}<p style="${style.foot}">${channelTitle}</p>`,
    ),
  }
}

const longestName = 60

/**
 * Anyone can sign up with another person's address and choose the name. A name that mail programs would turn
 * into a link, or that reads like a message, is left out.
 */
function greeting(name: string | null | undefined): string {
  const plain = (name ?? '').trim()
  const isName =
    plain !== '' &&
    plain.length <= longestName &&
    !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069:/@<>]|\S\.\S/u.test(plain)
  return isName ? `Hello ${plain},` : 'Hello,'
}

const duration = (hours: number): string => {
  if (hours === 1) return 'one hour'
  return hours % 24 === 0 && hours > 24 ? `${hours / 24} days` : `${hours} hours`
}

const date = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeZone: 'UTC',
})
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' })
const moment = (at: Date): string => `${date.format(at)} at ${time.format(at)} UTC`

const style = {
  body: 'margin:0;padding:24px;background:#ffffff;color:#1a1a1a;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif',
  main: 'max-width:560px;margin:0 auto',
  paragraph: 'margin:0 0 16px',
  button:
    'display:inline-block;padding:12px 20px;border-radius:6px;background:#1a4fba;color:#ffffff;font-weight:600;text-decoration:none',
  address: 'margin:0 0 16px;font-size:14px;color:#505050;word-break:break-all',
  foot: 'margin:24px 0 0;padding:16px 0 0;border-top:1px solid #d0d0d0;font-size:14px;color:#505050',
} as const

const page = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body style="${style.body}"><div role="article" lang="en" aria-label="${title}" style="${style.main}">${content}</div></body>
</html>
`.html

const paragraph = (text: string): Html => html`<p style="${style.paragraph}">${text}</p>`

const button = ({ label, url }: { label: string; url: string }): Html =>
  html`<p style="${style.paragraph}"><a href="${url}" style="${style.button}">${label}</a></p><p style="${style.address}">If the button does not work, open this address: ${url}</p>`
