import { notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import { answer, standard } from '../../resources/standard.js'
import { update } from '../../resources/store.js'
import { moment } from './create.js'
import { planSwitches, type Switches } from './schedule.js'

const scheduling = ['active', 'enable_at', 'disable_at'] as const

/** Like any update, except that `active` and the schedule decide together what holds from now on. */
export async function updateVideo(call: Call) {
  const { parts, resource, scope, id, body } = call
  if (!scheduling.some((name) => Object.hasOwn(body, name))) return standard.update(call)
  const record = await parts.database.transaction(async (tx) => {
    const [now] = await tx<Switches[]>`
      select active, enable_at, disable_at from videos
      where site_id = ${scope.site_id} and _id = ${id} and deleted_at is null for update
    `
    if (!now) throw notFound(resource.name)
    const next: Switches = {
      active: now.active,
      enable_at: Object.hasOwn(body, 'enable_at') ? moment(body.enable_at) : now.enable_at,
      disable_at: Object.hasOwn(body, 'disable_at') ? moment(body.disable_at) : now.disable_at,
    }
    const changed = !same(now.enable_at, next.enable_at) || !same(now.disable_at, next.disable_at)
    const plan = planSwitches(next, changed, body.active as boolean | undefined, new Date())
    return update(tx, parts.sealer, resource, scope, id, { ...body, ...plan })
  })
  if (!record) throw notFound(resource.name)
  parts.freshness.touch(scope.site_id, resource.plural)
  await parts.freshness.reschedule()
  return answer(record)
}

const same = (a: Date | null, b: Date | null) => a?.getTime() === b?.getTime()
