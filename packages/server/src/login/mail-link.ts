import { findMailToken } from '../features/consumers/mail-answers.js'
import type { Parts } from '../resources/feature.js'
import { channelWith, type LoginChannel, onlyChannel } from './channel.js'
import { PageError } from './page-error.js'
import { pagePath } from './page-visit.js'

type MailPurpose = Parameters<typeof findMailToken>[2]

export interface MailLink {
  readonly token: string
  readonly email: string
  readonly channel: LoginChannel
}

/** Runs the action behind a link from a mail, or explains that the link no longer works. */
export async function followLink(
  parts: Parts,
  purpose: MailPurpose,
  token: string | undefined,
): Promise<MailLink> {
  const { db } = parts.database
  const found = token && (await findMailToken(db, parts.sealer, purpose, token))
  if (!found) throw await deadLink(parts, purpose)
  return { token, email: found.email, channel: await channelWith(db, found.site_id) }
}

const ways: Readonly<Record<MailPurpose, string>> = {
  reset_password: 'Ask for a new link with "Forgot your password?" where you sign in.',
  verify_email:
    'If your address is not confirmed yet, sign in to your app: you can have a new mail sent there.',
}

/** An invalid token does not identify its channel, but often there is only one. */
export async function deadLink(parts: Parts, purpose: MailPurpose): Promise<PageError> {
  const channel = await onlyChannel(parts.database.db)
  const link =
    channel && purpose === 'reset_password'
      ? { url: pagePath(parts, `/forgot-password?channel=${channel.site_id}`), label: 'Ask for a new link' }
      : undefined
  const text = `The link in the mail has expired or was used already. ${ways[purpose]}`
  return new PageError(422, 'This link no longer works', text, { brand: channel?.brand, link })
}
