import { movedFolder } from '../storage/merged-lists.js'
import type { Storage } from '../storage/storage.js'

/** Deletes what was moved away from a place and has been kept long enough; returns the number of objects. */
export async function removeMoved(place: Storage): Promise<number> {
  const today = new Date(Date.now()).toISOString().slice(0, 10)
  let removed = 0
  for await (const day of place.names(movedFolder))
    if (/^\d{4}-\d{2}-\d{2}$/.test(day) && day < today)
      removed += await place.removeUnder(`${movedFolder}/${day}`)
  return removed
}

/** What was moved away and is still kept. */
export async function countMoved(place: Storage): Promise<{ objects: number; bytes: number }> {
  const counted = { objects: 0, bytes: 0 }
  for await (const { size } of place.list(movedFolder)) {
    counted.objects += 1
    counted.bytes += size
  }
  return counted
}
