import { catalog } from '@zoetrope/contract'
import { notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { find } from '../../resources/store.js'

/** The app whose key asks. What it reads at start stands in its settings; these come first, so that no setting hides a field. */
export async function getOwnApp({ parts, resource, principal, scope }: Call) {
  const { database, sealer, loginUrl } = parts
  const json = principal.appId && (await find(database.db, sealer, catalog.apps, scope, principal.appId))
  if (!json) throw notFound('app')
  const app = JSON.parse(json) as Record<string, unknown>
  const fields = Object.keys(resource.fields).map((name) => [name, app[name]])
  const linking = { device_linking: true, device_link_url: `${loginUrl}/link` }
  return answer(JSON.stringify({ ...linking, ...(app.settings as object), ...Object.fromEntries(fields) }))
}
