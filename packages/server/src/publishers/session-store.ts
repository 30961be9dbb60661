import type { ChannelOfUser } from '@zoetrope/contract'
import { confirmedMinutes, touched } from '../auth/publisher-sessions.js'
import type { Db } from '../db/database.js'
import type { Sealer } from '../lib/sealing.js'

/** An open session of the dashboard, and its owner. */
export interface Session {
  readonly _id: string
  readonly user: User
  /** The password was given within the last minutes. */
  readonly confirmed: boolean
  readonly channels: readonly ChannelOfUser[]
}

interface User {
  readonly _id: string
  readonly email: string
  readonly name: string | null
  readonly totp_enabled: boolean
  readonly password_changed_at: Date
  readonly has_password: boolean
}

export async function findSession(db: Db, sealer: Sealer, token: string): Promise<Session | undefined> {
  const digest = sealer.digest(token)
  const [row] = await db<(User & { session_id: string; confirmed: boolean; channels: ChannelOfUser[] })[]>`
    with ${touched(db, digest)}
    select session._id as session_id, publishers._id, email, name, totp_enabled_at is not null as totp_enabled,
      password_changed_at, password_hash is not null as has_password, confirmed_at > now() - make_interval(mins => ${confirmedMinutes}) as confirmed,
      coalesce((
        select json_agg(json_build_object('_id', site_id, 'name', title, 'role', role, 'first_page', first_page) order by site_id)
        from memberships join channels using (site_id) where publisher_id = publishers._id
      ), '[]') as channels
    from publisher_sessions as session join publishers on publishers._id = publisher_id
    where digest = ${digest} and expires_at > now()
  `
  if (!row) return undefined
  const { session_id, confirmed, channels, ...user } = row
  return { _id: session_id, user, confirmed, channels }
}
