import type { Role } from '@zoetrope/contract'
import { invitationLink, newInvitationToken } from '../auth/invitations.js'
import { bucketOf, takeOrRefuse } from '../auth/limits.js'
import type { Db } from '../db/database.js'
import { invitationMail } from '../mail/messages.js'
import { enqueue } from '../queue/enqueue.js'
import type { Parts } from '../resources/feature.js'
import { defineJob } from './define-job.js'

interface InvitationKey {
  readonly site_id: string
  readonly _id: string
}

/** Mails an invitation. The token is made here, so that it exists nowhere but in the mail. */
export const mailInvitation = defineJob<InvitationKey>({
  name: 'mail-invitation',
  attempts: 8,
  reachesOut: true,
  async run({ site_id, _id }, { database: { db }, sealer, mailer, apiUrl }) {
    const token = newInvitationToken()
    const [invited] = await db<{ email: string; name: string | null; role: Role; title: string }[]>`
      update invitations set digest = ${sealer.digest(token)} from channels
      where channels._id = ${site_id} and invitations.site_id = ${site_id} and invitations._id = ${_id}
        and expires_at > now()
      returning email, first_name as name, role, title
    `
    if (!invited) return
    const { email, title, ...person } = invited
    const url = invitationLink(apiUrl, token)
    await mailer.send({ to: email, ...invitationMail({ ...person, channelTitle: title, url }) })
  },
})

/**
 * Gives an invited person the link. Anyone who has it can accept, so it is mailed to their address. Only without a mail server it is
 * returned, for the person who invites to pass it on.
 */
export async function handOver(
  tx: Db,
  parts: Pick<Parts, 'apiUrl' | 'canMail' | 'sealer'>,
  { email, token, ...key }: InvitationKey & { readonly email: string; readonly token: string },
): Promise<string | null> {
  if (!parts.canMail) return invitationLink(parts.apiUrl, token)
  await takeOrRefuse({ ...parts, database: { db: tx } }, bucketOf('mail_to', `invited ${email}`))
  await enqueue(tx, mailInvitation, key, { key: key._id })
  return null
}
