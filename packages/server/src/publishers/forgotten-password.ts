import { bucketFrom, bucketOf, takeOrRefuse } from '../auth/limits.js'
import { replacePassword } from '../auth/publisher-passwords.js'
import { findSignInLink, spendSignInLink } from '../auth/sign-in-links.js'
import { ApiError } from '../errors.js'
import { mailPublisher } from '../jobs/mail-publisher.job.js'
import { enqueue } from '../queue/enqueue.js'
import { emailIn, textIn } from './fields.js'
import { refusePasswords } from './oidc.js'
import { newPasswordIn } from './password.js'
import type { EndpointResult, PublisherRequest } from './request.js'

/** Queues a mail. The job looks up the address, so the response does not reveal whether it has an account. */
export async function forgotPassword(visit: PublisherRequest): Promise<EndpointResult<{ message: string }>> {
  refusePasswords(visit)
  const { parts, body, address } = visit
  const email = emailIn(body)
  await takeOrRefuse(parts, bucketOf('mail_to', `publisher ${email}`), bucketFrom('mail_from', address))
  await enqueue(parts.database.db, mailPublisher, { email })
  return {
    status: 202,
    body: { message: 'If this address has an account, a mail with a link for a new password is on its way.' },
  }
}

/** Sets the new password and ends all sessions. Does not sign in: an account may need a second factor for that. */
export async function setForgottenPassword(
  visit: PublisherRequest,
): Promise<EndpointResult<{ message: string }>> {
  refusePasswords(visit)
  const { parts, body, dropPassword } = visit
  const { database, passwords, sealer, principals } = parts
  const token = textIn(body, 'token')
  const found = await findSignInLink(database.db, sealer, token, 'new_password')
  if (!found) throw gone()
  const password_hash = await passwords.hash(newPasswordIn(body))
  await database.transaction(async (tx) => {
    if (!(await spendSignInLink(tx, sealer, token))) throw gone()
    await replacePassword(tx, { publisher_id: found.publisher_id, password_hash })
  })
  principals.forget(({ publisherId }) => publisherId === found.publisher_id)
  await dropPassword(found.email, found.email)
  return { body: { message: 'The password is changed, and all sessions have ended. Sign in with it now.' } }
}

const gone = () => new ApiError(404, 'This link was used, or has expired. Ask for another one.')
