import { verifyEmail } from '../features/consumers/mail-answers.js'
import { deadLink, followLink } from './mail-link.js'
import { formText, type PageVisit, pagePath, type ShownPage } from './page-visit.js'
import { donePage } from './pages/done-page.js'
import { verifyPage } from './pages/verify-page.js'

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
