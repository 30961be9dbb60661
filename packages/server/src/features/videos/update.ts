import { moment, planSwitches, type Switches } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { notFound } from '../../errors.js'
import { sharePlaylistsFor, withCategories } from '../../films/categories.js'
import { followFormatsOf, withFormats } from '../../films/formats.js'
import { hasAddress, importFor } from '../../films/imports/start-import.js'
import { answer } from '../../resources/standard.js'
import { find, update } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { splitImages } from '../images.js'
import { applyAttached, checkPreviews, holdFirst, splitAttached } from './attached.js'
import { showImages, touchesOnlyColumns } from './write.js'

type VideoUpdate = CallOf<'videos', 'update'>

const scheduling = ['active', 'enable_at', 'disable_at'] as const

/**
 * Updates a video. Beyond an ordinary update, it resolves `active` and the schedule together, creates or drops
 * formats, validates the values of categories, and imports another film if a `source_url` is given.
 */
export async function updateVideo(call: VideoUpdate) {
  const { parts, resource, scope, id } = call
  const { source_url: _address, ...given } = call.body
  const { fields, pictures } = splitImages(given)
  const { fields: plain, attached } = splitAttached(fields)
  const body = withFormats(plain)
  const isScheduled = scheduling.some((name) => Object.hasOwn(body, name))
  const hasFormats = Object.hasOwn(body, 'formats')
  const isAlone = touchesOnlyColumns(call.body) && !isScheduled && !hasFormats
  const updateAlone = () => update(parts.database.db, resource, scope, id, body)
  const updateTogether = async (tx: Db) => {
    await sharePlaylistsFor(tx, scope, body)
    await holdFirst(tx, scope, attached, id)
    await checkPreviews(tx, scope, body, id)
    const columns = await withCategories(tx, scope, body, id)
    const switches = isScheduled ? await planFor(tx, call) : {}
    const changed = await update(tx, resource, scope, id, { ...columns, ...switches })
    if (!changed) return undefined
    if (attached) await applyAttached(tx, scope, id, attached)
    if (pictures) await showImages(tx, parts, scope, id, pictures)
    if (hasFormats) await followFormatsOf(tx, scope.site_id, id)
    return showChanged(tx, call)
  }
  // One statement needs no transaction around it, which would halve the throughput of updates.
  const record = isAlone ? await updateAlone() : await parts.database.transaction(updateTogether)
  if (!record) throw notFound(resource.name)
  if (isScheduled) await parts.freshness.reschedule()
  return answer(record)
}

/** Returns the updated record. Imports another film if a `source_url` is given. */
async function showChanged(tx: Db, { parts, resource, scope, id, body }: VideoUpdate): Promise<string> {
  if (hasAddress(body)) return importFor(tx, parts, scope, id, body)
  return (await find(tx, resource, scope, id)) ?? ''
}

/** Resolves `active` and the schedule from the current row and the request. */
async function planFor(tx: Db, { resource, scope, id, body }: VideoUpdate) {
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
  return planSwitches(next, changed, body.active, new Date())
}

const same = (a: Date | null, b: Date | null) => a?.getTime() === b?.getTime()
