import { newAppSecrets, registerAppSecrets } from '../../auth/keys.js'
import { notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { update } from '../../resources/store.js'

const overlapSeconds = 86_400

export async function rotateApp({ parts, resource, scope, id, body }: Call) {
  const { database, sealer, principals } = parts
  const secrets = newAppSecrets()
  const overlap = (body.overlap as number | null | undefined) ?? overlapSeconds
  const record = await database.transaction(async (tx) => {
    const values = {
      app_key: sealer.seal(secrets.app_key),
      client_secret: sealer.seal(secrets.client_secret),
    }
    const changed = await update(tx, sealer, resource, scope, id, values)
    if (!changed) throw notFound(resource.name)
    await registerAppSecrets(tx, sealer, { ...scope, _id: id }, secrets, overlap)
    return changed
  })
  principals.forget()
  return answer(record)
}
