import { newAppSecrets, newClientId, registerAppSecrets } from '../../auth/keys.js'
import { newId } from '../../lib/object-id.js'
import { reveal } from '../../resources/columns.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { insert } from '../../resources/store.js'

/** Creates an app with a new key, client id and client secret. */
export async function createApp({ parts, resource, scope, body }: Call) {
  const { database, sealer } = parts
  const secrets = newAppSecrets()
  const app = { _id: newId(), ...scope }
  const values = {
    ...body,
    _id: app._id,
    client_id: newClientId(),
    app_key: sealer.seal(secrets.app_key),
    client_secret: sealer.seal(secrets.client_secret),
  }
  const record = await database.transaction(async (tx) => {
    const made = await insert(tx, resource, scope, values)
    await registerAppSecrets(tx, sealer, app, secrets)
    return made
  })
  return answer(reveal(resource, sealer, record))
}
