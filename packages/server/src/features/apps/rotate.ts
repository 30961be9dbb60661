import { catalog } from '@zoetrope/contract'
import { type AppSecrets, newAppSecrets, registerAppSecrets } from '../../auth/keys.js'
import { notFound } from '../../errors.js'
import { reveal } from '../../resources/columns.js'
import type { Parts } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { type Scope, update } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'

const overlapSeconds = 86_400

export async function rotateApp({ parts, scope, id, body }: CallOf<'apps', 'rotate'>) {
  const overlap = body.overlap ?? overlapSeconds
  return answer((await replaceSecrets(parts, scope, id, overlap)).record)
}

/** Creates new secrets for an app. The old ones keep working for `overlap` seconds. */
export async function replaceSecrets(
  parts: Parts,
  scope: Scope,
  id: string,
  overlap: number,
): Promise<{ record: string; secrets: AppSecrets }> {
  const { database, sealer, principals } = parts
  const secrets = newAppSecrets()
  const record = await database.transaction(async (tx) => {
    const values = {
      app_key: sealer.seal(secrets.app_key),
      client_secret: sealer.seal(secrets.client_secret),
    }
    const changed = await update(tx, catalog.apps, scope, id, values)
    if (!changed) throw notFound(catalog.apps.name)
    await registerAppSecrets(tx, sealer, { ...scope, _id: id }, secrets, overlap)
    return changed
  })
  principals.forget()
  return { record: reveal(catalog.apps, sealer, record), secrets }
}
