import { randomBytes } from 'node:crypto'
import type { Db } from '../db/database.js'
import type { Sealer } from '../lib/sealing.js'
import {
  emailChangedMail,
  type Letter,
  linkedDeviceMail,
  passwordChangedMail,
  resetPasswordMail,
  verifyEmailMail,
} from '../mail/messages.js'
import { defineJob } from './define-job.js'

/** The kinds of mail to consumers. */
export interface MailConsumer {
  readonly site_id: string
  readonly email: string
  /** The consumer, if known: the mail goes to the address that they have when it is sent. */
  readonly consumer_id?: string
  readonly purpose: 'reset_password' | 'verify_email' | 'password_changed' | 'email_changed' | 'device_linked'
  readonly app_title?: string
  /** Another address than the consumer's: the one that they had before a change. */
  readonly to?: string
}

interface Recipient {
  readonly consumer_id: string
  readonly name: string | null
  readonly verified: boolean
  readonly title: string
  readonly reset_password_url: string | null
}

const hours = { reset_password: 2, verify_email: 48 } as const

/** Sends a mail to a consumer, if they exist. The token is made here, so that it exists nowhere but in the mail. */
export const mailConsumer = defineJob<MailConsumer>({
  name: 'mail-consumer',
  attempts: 8,
  reachesOut: true,
  async run(payload, { database: { db }, sealer, mailer, loginUrl }) {
    const { site_id, email } = payload
    const consumer_id = payload.consumer_id ?? null
    const [recipient] = await db<Recipient[]>`
      select consumers._id as consumer_id, name, email_verified_at is not null as verified, title, reset_password_url
      from consumers join channels using (site_id)
      where site_id = ${site_id} and case when ${consumer_id}::text is null then email = ${email} else consumers._id = ${consumer_id} end
    `
    if (!recipient || (payload.purpose === 'verify_email' && recipient.verified)) return
    await mailer.send({
      to: payload.to ?? email,
      ...(await letterFor(db, sealer, loginUrl, payload, recipient)),
    })
  },
})

async function letterFor(
  db: Db,
  sealer: Sealer,
  loginUrl: string,
  { site_id, email, purpose, app_title = 'your app' }: MailConsumer,
  { consumer_id, name, title, reset_password_url }: Recipient,
): Promise<Letter> {
  const reader = { channelTitle: title, name }
  if (purpose === 'password_changed') return passwordChangedMail(reader)
  if (purpose === 'email_changed') return emailChangedMail(reader)
  if (purpose === 'device_linked') return linkedDeviceMail({ ...reader, appTitle: app_title, at: new Date() })
  const token = randomBytes(32).toString('hex')
  await db`
    insert into mail_tokens (digest, site_id, consumer_id, purpose, email, expires_at)
    values (${sealer.digest(token)}, ${site_id}, ${consumer_id}, ${purpose}, ${email},
      now() + make_interval(hours => ${hours[purpose]}))
  `
  if (purpose === 'verify_email')
    return verifyEmailMail({
      ...reader,
      url: `${loginUrl}/verify-email?token=${token}`,
      hours: hours[purpose],
    })
  const url = reset_password_url
    ? withParameter(reset_password_url, 'password_token', token)
    : `${loginUrl}/reset-password?token=${token}`
  return resetPasswordMail({ ...reader, url, hours: hours[purpose] })
}

function withParameter(address: string, name: string, value: string): string {
  const url = new URL(address)
  url.searchParams.set(name, value)
  return url.href
}
