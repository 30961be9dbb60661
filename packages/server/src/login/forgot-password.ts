import { findClient } from '../auth/clients.js'
import { ApiError } from '../errors.js'
import { requestMail } from '../features/consumers/mail-requests.js'
import type { Parts } from '../resources/feature.js'
import { channelWith, findChannel, type LoginChannel, onlyChannel } from './channel.js'
import { PageError } from './page-error.js'
import { formText, type PageVisit, pagePath, type ShownPage } from './page-visit.js'
import { donePage } from './pages/message-pages.js'
import { forgotPage } from './pages/password-pages.js'
import { openField, sealField } from './sealed-field.js'

/** Asks for the e-mail address. The sign-in page that links here passes its app or its channel. */
export async function askForAddress(visit: PageVisit): Promise<ShownPage> {
  const channel = await channelMeant(visit)
  if (channel) return visit.parts.canMail ? form(visit.parts, channel, {}) : cannotMail(channel)
  throw new PageError(
    422,
    'Whose password did you forget?',
    'This link does not say which channel it is for. Open the sign-in page of your app and go on from there.',
  )
}

async function channelMeant(visit: PageVisit): Promise<LoginChannel | undefined> {
  const { database, sealer } = visit.parts
  const id = formText(visit, 'client_id')
  const named = formText(visit, 'channel')
  const client = id && (await findClient(database.db, sealer, { id, secret: undefined }))
  const site_id = client ? client.site_id : named
  return site_id ? findChannel(database.db, site_id) : onlyChannel(database.db)
}

const sent = {
  title: 'Look at your mail',
  text: 'If there is an account with this address, a mail with a link to choose a new password is on its way.',
}

/** Without a mail server there is nothing to ask for. The page of the channel also links to its help. */
const cannotMail = ({ brand }: LoginChannel): ShownPage => ({
  brand,
  html: donePage({
    brand,
    title: 'We cannot send you a link',
    text: `No e-mail can be sent from here. Contact ${brand.title} for a new password.`,
  }),
})

/** Sends the mail if the account exists; the response is the same if it does not. */
export async function sendResetMail(visit: PageVisit): Promise<ShownPage> {
  const { parts, ip } = visit
  const { site_id } = openField<{ site_id: string }>(
    parts.sealer,
    'forgotten password',
    formText(visit, 'sealed'),
  )
  const channel = await channelWith(parts.database.db, site_id)
  if (!visit.parts.canMail) return cannotMail(channel)
  const email = formText(visit, 'email')?.trim() ?? ''
  if (!/^[^@\s]+@[^@\s]+$/.test(email) || email.length > 254)
    return { ...form(parts, channel, { email, error: 'Type your whole e-mail address.' }), status: 422 }
  try {
    await requestMail(parts, { site_id, email, purpose: 'reset_password', ip })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 429) throw error
    const { message, headers } = error
    return { ...form(parts, channel, { email, error: message }), status: 429, headers }
  }
  const { brand } = channel
  return { brand, html: donePage({ brand, ...sent }) }
}

const form = (
  parts: Parts,
  { site_id, brand }: LoginChannel,
  problem: { email?: string; error?: string },
): ShownPage => ({
  brand,
  html: forgotPage({
    brand,
    action: pagePath(parts, '/forgot-password'),
    hidden: { sealed: sealField(parts.sealer, 'forgotten password', { site_id }) },
    ...problem,
  }),
})
