import { webhookOffMail } from '../mail/messages.js'
import { webhookMail } from '../webhooks/outcome.js'
import { defineJob } from './define-job.js'

/** Tells an owner of a channel that a webhook was switched off, and why. */
export const mailWebhook = defineJob<NonNullable<typeof webhookMail.payload>>({
  ...webhookMail,
  async run({ site_id, webhook_id, publisher_id }, { database: { db }, mailer, apiUrl, eventDays }) {
    const [owner] = await db<
      { email: string; name: string | null; title: string; url: string; reason: string }[]
    >`
      select publishers.email, publishers.name, channels.title, webhooks.url, switched_off_reason as reason
      from webhooks
      join channels on channels._id = webhooks.site_id
      join memberships on memberships.site_id = webhooks.site_id and role = 'owner'
      join publishers on publishers._id = memberships.publisher_id
      where publishers._id = ${publisher_id} and webhooks.site_id = ${site_id} and webhooks._id = ${webhook_id}
        and not webhooks.active and switched_off_reason is not null
    `
    if (!owner) return
    const { email, title, ...facts } = owner
    const address = `${apiUrl}/dashboard/webhooks/${webhook_id}`
    await mailer.send({ to: email, ...webhookOffMail({ ...facts, channelTitle: title, address, eventDays }) })
  },
})
