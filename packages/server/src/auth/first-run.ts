import type { Database, Db } from '../db/database.js'
import { keepFirstRecord } from '../db/records.js'
import { newId } from '../lib/object-id.js'
import type { Sealer } from '../lib/sealing.js'
import { createChannel, type NewChannel } from './channels.js'
import { newAppSecrets, newClientId, registerAppSecrets } from './keys.js'
import { hashPassword, newPassword } from './passwords.js'

/** What the first start creates, in the shape of credentials.json. */
export interface Credentials {
  readonly url: string
  readonly channel: NewChannel['channel']
  readonly keys: NewChannel['keys']
  readonly app: {
    readonly _id: string
    readonly app_key: string
    readonly client_id: string
    readonly client_secret: string
  }
  readonly publisher: { readonly email: string; readonly password: string }
}

/**
 * Creates the first channel, app and publisher, once per database. `save` runs before the commit, so a crash
 * cannot lose working credentials.
 */
export async function setUpOnce(
  database: Database,
  sealer: Sealer,
  url: string,
  save: (credentials: Credentials) => Promise<void>,
): Promise<Credentials | undefined> {
  return database.transaction(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('zoetrope set-up'))`
    const [done] = await tx`select from installation where name = 'set_up'`
    if (done) return undefined
    const secrets = newAppSecrets()
    const credentials: Credentials = {
      url,
      ...(await createChannel(tx, sealer, 'My channel')),
      app: {
        _id: newId(),
        app_key: secrets.app_key,
        client_id: newClientId(),
        client_secret: secrets.client_secret,
      },
      publisher: { email: 'publisher@example.com', password: newPassword() },
    }
    await insertApp(tx, sealer, credentials)
    await insertPublisher(tx, credentials)
    await tx`insert into installation (name, value) values ('set_up', now()::text)`
    await save(credentials)
    return credentials
  })
}

async function insertApp(tx: Db, sealer: Sealer, { app, channel }: Credentials): Promise<void> {
  const row = {
    ...app,
    site_id: channel._id,
    title: 'My app',
    app_key: sealer.seal(app.app_key),
    client_secret: sealer.seal(app.client_secret),
  }
  await tx`insert into apps ${tx(row)}`
  await registerAppSecrets(tx, sealer, row, app)
}

async function insertPublisher(tx: Db, { publisher, channel }: Credentials): Promise<void> {
  const row = { _id: newId(), email: publisher.email, password_hash: await hashPassword(publisher.password) }
  await tx`insert into publishers ${tx(row)}`
  await tx`insert into memberships ${tx({ publisher_id: row._id, site_id: channel._id, role: 'owner' })}`
  await tx`insert into installation (name, value) values ('first_publisher', ${row._id})`
}

/** Returns false if the database was made with another SECRET_KEY: its stored secrets would be unreadable. */
export async function checkSecretKey(db: Db, sealer: Sealer): Promise<boolean> {
  return (await keepFirstRecord(db, 'secret_key', sealer.fingerprint)) === sealer.fingerprint
}
