import { defineJob } from './define-job.js'

/** Deletes expired rows. They stopped working when they expired; this only keeps the tables short. */
export const endExpired = defineJob<unknown>({
  name: 'end-expired',
  attempts: 1,
  every: '* * * * *',
  async run(_payload, { database: { db } }) {
    await db`delete from sessions where expires_at <= now()`
    await db`delete from authorization_codes where expires_at <= now() - interval '1 hour'`
    await db`delete from upload_tokens where expires_at <= now() - interval '1 day'`
    await db`delete from mail_tokens where expires_at <= now()`
    await db`
      delete from linked_devices where consumer_id is null
        and (pin_expiration <= now() - interval '1 day'
          or (pin_expiration is null and updated_at <= now() - interval '1 day'))
    `
    // A used refresh token this old would have expired anyway, so it no longer has to be recognised as reused.
    await db`
      delete from token_pairs using sessions
      where sessions.site_id = token_pairs.site_id and sessions._id = session_id
        and spent_at <= now() - (sessions.expires_at - sessions.refreshed_at)
    `
    await db`delete from known_addresses where seen_at <= now() - interval '180 days'`
    await db`delete from publisher_sessions where expires_at <= now()`
    await db`delete from publisher_addresses where seen_at <= now() - interval '180 days'`
    await db`delete from invitations where expires_at <= now()`
    await db`delete from sign_in_links where expires_at <= now()`
  },
})
