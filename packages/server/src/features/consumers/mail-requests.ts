import { bucketOf, takeOrRefuse } from '../../auth/limits.js'
import { plainEmail } from '../../auth/sign-in.js'
import { type MailConsumer, mailConsumer } from '../../jobs/mail-consumer.job.js'
import { addressKey } from '../../lib/client-address.js'
import { enqueue } from '../../queue/enqueue.js'
import type { Parts } from '../../resources/feature.js'
import type { CallOf } from '../call-of.js'
import { message } from './message.js'

interface MailRequest {
  readonly site_id: string
  readonly email: string
  readonly purpose: Extract<MailConsumer['purpose'], 'reset_password' | 'verify_email'>
  readonly ip: string
}

/** Limits mails per recipient and per client address, to prevent mail flooding. */
export const limitMails = (
  tools: Pick<Parts, 'database' | 'sealer'>,
  { site_id, email, purpose, ip }: MailRequest,
) =>
  takeOrRefuse(
    tools,
    bucketOf('mail_to', `${purpose} ${site_id} ${email}`),
    bucketOf('mail_from', `${purpose} ${addressKey(ip)}`),
  )

/** Queues a mail to a consumer. The job looks up the address, so the response does not reveal whether it exists. */
export async function requestMail(
  tools: Pick<Parts, 'database' | 'sealer'>,
  { email: typed, ...request }: MailRequest,
): Promise<void> {
  const email = plainEmail(typed)
  await limitMails(tools, { ...request, email })
  const { site_id, purpose } = request
  await enqueue(tools.database.db, mailConsumer, { site_id, email, purpose })
}

/** An action that queues a mail. Its message is the same whether or not there is an account. */
const mailing =
  (purpose: MailRequest['purpose'], said: string) =>
  async ({ parts, scope, body, address }: CallOf<'consumers', 'forgot_password' | 'send_verification'>) => {
    await requestMail(parts, { site_id: scope.site_id, email: body.email, purpose, ip: address })
    return message(said)
  }

export const forgotPassword = mailing(
  'reset_password',
  'If there is an account with this address, a mail with a link for a new password is on its way.',
)
export const sendVerification = mailing(
  'verify_email',
  'If there is an account with this address that is not confirmed yet, a mail with a link is on its way.',
)
