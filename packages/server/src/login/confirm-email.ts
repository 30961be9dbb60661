import { verifyEmail } from '../features/consumers/mail-answers.js'
import { requestMail } from '../features/consumers/mail-requests.js'
import type { Parts } from '../resources/feature.js'
import { channelWith, type LoginChannel } from './channel.js'
import { deadLink, followLink } from './mail-link.js'
import { formText, type PageVisit, pagePath, type ShownPage } from './page-visit.js'
import { confirmFirstPage, verifyPage } from './pages/confirm-pages.js'
import { donePage } from './pages/message-pages.js'
import { openField, sealField } from './sealed-field.js'

interface ConfirmationRecipient {
  readonly site_id: string
  readonly email: string
}

/** The page for a viewer who must confirm the e-mail address first. */
export function confirmFirst(parts: Parts, { site_id, brand }: LoginChannel, email: string): ShownPage {
  const recipient: ConfirmationRecipient = { site_id, email }
  return {
    brand,
    status: 403,
    html: confirmFirstPage({
      brand,
      action: pagePath(parts, '/verify-email/again'),
      hidden: { sealed: sealField(parts.sealer, 'confirmation mail', recipient) },
      email,
    }),
  }
}

export async function sendConfirmation(visit: PageVisit): Promise<ShownPage> {
  const { parts, ip } = visit
  const recipient = openField<ConfirmationRecipient>(
    parts.sealer,
    'confirmation mail',
    formText(visit, 'sealed'),
  )
  const { brand } = await channelWith(parts.database.db, recipient.site_id)
  await requestMail(parts, { ...recipient, purpose: 'verify_email', ip })
  return {
    brand,
    html: donePage({
      brand,
      title: 'The mail is on its way',
      text: 'Open the link in it to confirm your address. Then go back and sign in again.',
    }),
  }
}

/** Asks for the click that confirms an address. */
export async function askToConfirm(visit: PageVisit): Promise<ShownPage> {
  const { parts } = visit
  const { token, channel } = await followLink(parts, 'verify_email', formText(visit, 'token'))
  const { brand } = channel
  return {
    brand,
    html: verifyPage({ brand, action: pagePath(parts, '/verify-email'), hidden: { token } }),
  }
}

export async function confirm(visit: PageVisit): Promise<ShownPage> {
  const { parts } = visit
  const { token, channel } = await followLink(parts, 'verify_email', formText(visit, 'token'))
  if (!(await verifyEmail(parts, token))) throw await deadLink(parts, 'verify_email')
  const { brand } = channel
  const title = 'Your address is confirmed'
  return { brand, html: donePage({ brand, title, text: 'Go back to your app and sign in.' }) }
}
