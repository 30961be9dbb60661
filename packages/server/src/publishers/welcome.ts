import type { PublisherSession } from '@zoetrope/contract'
import { replacePassword } from '../auth/publisher-passwords.js'
import { findSignInLink, spendSignInLink } from '../auth/sign-in-links.js'
import type { Db } from '../db/database.js'
import { ApiError, invalid } from '../errors.js'
import { emailIn, textIn } from './fields.js'
import { refusePasswords } from './oidc.js'
import { newPasswordIn } from './password.js'
import type { EndpointResult, PublisherRequest } from './request.js'
import { enter } from './session.js'

const gone = () =>
  new ApiError(
    404,
    'This link was used, or has expired. A server that nobody has signed in to prints a new one.',
  )

async function findLink({ parts, body }: PublisherRequest) {
  const { database, sealer } = parts
  const token = textIn(body, 'token')
  const found = await findSignInLink(database.db, sealer, token, 'welcome')
  if (!found) throw gone()
  return { ...found, token }
}

/** Tells whom the welcome link is for. */
export async function showWelcome(visit: PublisherRequest): Promise<EndpointResult<{ email: string }>> {
  const { email } = await findLink(visit)
  return { body: { email } }
}

/** The first publisher sets e-mail address and password, and is signed in. */
export async function acceptWelcome(visit: PublisherRequest): Promise<EndpointResult<PublisherSession>> {
  refusePasswords(visit)
  const { parts, body, dropPassword } = visit
  const { database, passwords, sealer, principals } = parts
  const { publisher_id, email: before, token } = await findLink(visit)
  const email = emailIn(body)
  const password_hash = await passwords.hash(newPasswordIn(body))
  await database.transaction(async (tx) => {
    if (!(await spendSignInLink(tx, sealer, token))) throw gone()
    await refuseTakenAddress(tx, publisher_id, email)
    await replacePassword(tx, { publisher_id, password_hash, email })
  })
  principals.forget(({ publisherId }) => publisherId === publisher_id)
  const entered = await enter(visit, { _id: publisher_id, email, password_hash, totp_enabled: false })
  await dropPassword(before, email)
  return entered
}

async function refuseTakenAddress(tx: Db, publisher_id: string, email: string): Promise<void> {
  const [other] = await tx`select from publishers where lower(email) = ${email} and _id <> ${publisher_id}`
  if (other)
    throw invalid('Another account has this e-mail address.', { email: ['belongs to another account'] })
}
