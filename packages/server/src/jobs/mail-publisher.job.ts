import { newPasswordLink } from '../auth/sign-in-links.js'
import { resetPasswordMail } from '../mail/messages.js'
import { defineJob } from './define-job.js'

const hours = 2

/** Sends a publisher a link that sets a new password, if there is an account with this address and a password. */
export const mailPublisher = defineJob<{ readonly email: string }>({
  name: 'mail-publisher',
  attempts: 8,
  reachesOut: true,
  async run({ email }, { database: { db }, sealer, mailer, apiUrl }) {
    const found = await newPasswordLink(db, sealer, apiUrl, { email, hours })
    if (!found) return
    await mailer.send({
      to: email,
      ...resetPasswordMail({ channelTitle: 'Zoetrope', name: found.name, url: found.url, hours }),
    })
  },
})
