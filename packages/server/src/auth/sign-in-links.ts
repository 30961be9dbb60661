import { randomBytes } from 'node:crypto'
import type { Db } from '../db/database.js'
import type { Sealer } from '../lib/sealing.js'

const hours = 24

/**
 * A link for the first publisher's first sign-in, to choose a password. Undefined once they have signed in or
 * have another password. The token is in the fragment, which browsers do not send, so it appears in no
 * request log.
 */
export async function firstSignInLink(db: Db, sealer: Sealer, apiUrl: string): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url')
  const { count } = await db`
    insert into sign_in_links (digest, publisher_id, expires_at)
    select ${sealer.digest(token)}, publishers._id, now() + make_interval(hours => ${hours})
    from installation join publishers on publishers._id = value
    where installation.name = 'first_publisher' and sign_in_count = 0 and password_changed_at = publishers.created_at
  `
  return count > 0 ? `${apiUrl}/dashboard/welcome#${token}` : undefined
}

/** The owner of a link that is unused and has not expired. */
export async function findSignInLink(
  db: Db,
  sealer: Sealer,
  token: string,
  purpose: 'welcome' | 'new_password',
): Promise<{ readonly publisher_id: string; readonly email: string } | undefined> {
  const [found] = await db<{ publisher_id: string; email: string }[]>`
    select publisher_id, email from sign_in_links join publishers on publishers._id = publisher_id
    where digest = ${sealer.digest(token)} and expires_at > now() and purpose = ${purpose}
  `
  return found
}

/** Uses up a link. Returns false if it was already used or has expired. */
export async function spendSignInLink(tx: Db, sealer: Sealer, token: string): Promise<boolean> {
  const { count } = await tx`
    delete from sign_in_links where digest = ${sealer.digest(token)} and expires_at > now()
  `
  return count > 0
}

/**
 * A link for a publisher who has forgotten the password, or has none but an identity provider. Undefined for everybody
 * else: people who were invited open their invitation.
 */
export async function newPasswordLink(
  db: Db,
  sealer: Sealer,
  apiUrl: string,
  { email, hours: lifetime }: { readonly email: string; readonly hours: number },
): Promise<{ readonly name: string | null; readonly url: string } | undefined> {
  const token = randomBytes(32).toString('base64url')
  const [found] = await db<{ name: string | null }[]>`
    with owner as (select _id, name from publishers where lower(email) = ${email} and (
      password_hash is not null or exists (select from publisher_identities where publisher_id = _id)
    )),
    made as (
      insert into sign_in_links (digest, publisher_id, purpose, expires_at)
      select ${sealer.digest(token)}, _id, 'new_password', now() + make_interval(hours => ${lifetime}) from owner
    )
    select name from owner
  `
  return found && { name: found.name, url: `${apiUrl}/dashboard/new-password#${token}` }
}
