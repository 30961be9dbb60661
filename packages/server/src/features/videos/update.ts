import type { Db } from '../../db/database.js'
import { notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import { answer, standard } from '../../resources/standard.js'
import { find, update } from '../../resources/store.js'
import { hasCategories, withCategories } from './categories.js'
import { hasAddress, importFor, moment } from './create.js'
import { applyOwnFormats, withFormats } from './formats.js'
import { planSwitches, type Switches } from './schedule.js'

const scheduling = ['active', 'enable_at', 'disable_at'] as const

/**
 * Like any update, except that `active` and the schedule decide together what holds from now on,
 * that formats are made or dropped, that categories have only values of theirs, and that an address brings another film.
 */
export async function updateVideo(call: Call) {
  const { parts, resource, scope, id } = call
  const { source_url: _address, ...given } = call.body
  const body: Call['body'] = withFormats(given)
  const isScheduled = scheduling.some((name) => Object.hasOwn(body, name))
  const hasFormats = Object.hasOwn(body, 'formats')
  const isPlain = !isScheduled && !hasFormats && !hasCategories(body) && !hasAddress(call.body)
  if (isPlain) return standard.update({ ...call, body })
  const record = await parts.database.transaction(async (tx) => {
    const fields = await withCategories(tx, scope, body, id)
    const switches = isScheduled ? await planFor(tx, call) : {}
    const changed = await update(tx, parts.sealer, resource, scope, id, { ...fields, ...switches })
    if (changed && hasFormats) await applyOwnFormats(tx, scope.site_id, id)
    if (changed && hasAddress(call.body)) return importFor(tx, parts.sealer, scope, id, call.body)
    return changed && hasFormats ? find(tx, parts.sealer, resource, scope, id) : changed
  })
  if (!record) throw notFound(resource.name)
  parts.freshness.touch(scope.site_id, resource.plural)
  if (isScheduled) await parts.freshness.reschedule()
  return answer(record)
}

/** What the video becomes by what it is and what is said about it. */
async function planFor(tx: Db, { resource, scope, id, body }: Call) {
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
  return planSwitches(next, changed, body.active as boolean | undefined, new Date())
}

const same = (a: Date | null, b: Date | null) => a?.getTime() === b?.getTime()
