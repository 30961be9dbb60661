import { newId } from '../../lib/object-id.js'
import { slug } from '../../lib/slug.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { insert } from '../../resources/store.js'
import { planSwitches } from './schedule.js'

/** A video gets a friendly title of its own, and the schedule it was given takes effect. */
export async function createVideo({ parts, resource, scope, body }: Call) {
  const { database, sealer, freshness } = parts
  const _id = newId()
  const friendly_title =
    body.friendly_title ?? (await freeTitle({ parts, scope }, slug(String(body.title)), _id))
  const { active, switches_at } = planSwitches(
    { active: true, enable_at: moment(body.enable_at), disable_at: moment(body.disable_at) },
    body.enable_at != null || body.disable_at != null,
    body.active as boolean | undefined,
    new Date(),
  )
  const values = { ...body, _id, friendly_title, active, switches_at }
  const record = await insert(database.db, sealer, resource, scope, values)
  freshness.touch(scope.site_id, resource.plural)
  if (switches_at) await freshness.reschedule()
  return answer(record)
}

export const moment = (value: unknown): Date | null => (typeof value === 'string' ? new Date(value) : null)

/** The title itself, or with the end of the id behind it where another video has it already. */
async function freeTitle(
  { parts, scope }: Pick<Call, 'parts' | 'scope'>,
  title: string,
  id: string,
): Promise<string> {
  const [taken] = await parts.database.db`
    select from videos where site_id = ${scope.site_id} and friendly_title = ${title} and deleted_at is null limit 1
  `
  return taken ? `${title}-${id.slice(-8)}` : title
}
