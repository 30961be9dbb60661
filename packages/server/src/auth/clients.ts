import type { Db } from '../db/database.js'
import type { Sealer } from '../lib/sealing.js'

/** An app, for the token endpoints. */
export interface Client {
  readonly site_id: string
  readonly app_id: string
  readonly client_id: string
  readonly title: string
  readonly public_client: boolean
  readonly password_grant: boolean
  readonly redirect_uris: readonly string[]
  /** It sent a valid secret. */
  readonly proven: boolean
}

export interface ClientCredentials {
  readonly id: string
  readonly secret: string | undefined
}

/** The active app with this client id; `proven` if the secret matches. */
export async function findClient(
  db: Db,
  sealer: Sealer,
  { id, secret }: ClientCredentials,
): Promise<Client | undefined> {
  const [client] = await db<Client[]>`
    select site_id, _id as app_id, client_id, title, public_client, password_grant, redirect_uris, exists (
      select from app_credentials as given
      where given.digest = ${secret === undefined ? null : sealer.digest(secret)}
        and given.site_id = apps.site_id and given.app_id = apps._id and given.kind = 'client_secret'
        and (given.expires_at is null or given.expires_at > now())
    ) as proven
    from apps where client_id = ${id} and active
  `
  return client
}
