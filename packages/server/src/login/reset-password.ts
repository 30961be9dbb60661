import { catalog } from '@zoetrope/contract'
import { resetPassword } from '../features/consumers/mail-answers.js'
import type { Parts } from '../resources/feature.js'
import { deadLink, followLink, type MailLink } from './mail-link.js'
import { formText, type PageVisit, pagePath, type ShownPage } from './page-visit.js'
import { donePage } from './pages/message-pages.js'
import { resetPage } from './pages/password-pages.js'

const { minLength, maxLength } = catalog.consumers.fields.password

/** Asks the holder of a mailed link for a new password. */
export async function askForPassword(visit: PageVisit): Promise<ShownPage> {
  return form(visit.parts, await followLink(visit.parts, 'reset_password', formText(visit, 'token')))
}

export async function setPassword(visit: PageVisit): Promise<ShownPage> {
  const { parts } = visit
  const link = await followLink(parts, 'reset_password', formText(visit, 'token'))
  const password = formText(visit, 'password') ?? ''
  const error = faultOf(password)
  if (error) return { ...form(parts, link, error), status: 422 }
  if (!(await resetPassword(parts, { token: link.token, password, ip: visit.ip })))
    throw await deadLink(parts, 'reset_password')
  const { brand } = link.channel
  const title = 'Your password is changed'
  const text = 'Every device was signed out. Go back to your app and sign in with the new password.'
  return { brand, html: donePage({ brand, title, text }) }
}

function faultOf(password: string): string | undefined {
  const { length } = [...password]
  if (length < minLength) return `The password must have at least ${minLength} characters.`
  return length > maxLength ? `The password may have at most ${maxLength} characters.` : undefined
}

const form = (parts: Parts, { token, email, channel: { brand } }: MailLink, error?: string): ShownPage => ({
  brand,
  html: resetPage({ brand, action: pagePath(parts, '/reset-password'), hidden: { token }, email, error }),
})
