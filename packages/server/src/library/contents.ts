import { sourceKey } from '../media-segments/segment-keys.js'
import { movedFolder } from '../storage/merged-lists.js'
import type { ListedObject, Storage } from '../storage/storage.js'
import { leaseFolder } from './lease.js'
import { idKey } from './owner.js'

/** The objects of the library in a place. The id and the lease of the storage are none, and neither is what was moved away. */
export async function* listLibrary(place: Storage): AsyncGenerator<ListedObject> {
  let hasMoved = false
  for await (const object of place.list('')) {
    hasMoved = object.key.startsWith(`${movedFolder}/`)
    if (hasMoved) break
    if (object.key !== idKey && !object.key.startsWith(`${leaseFolder}/`)) yield object
  }
  // Goes on behind the folder, under which there may be very many objects: this is the character after the slash.
  if (hasMoved) yield* place.list('', { after: `${movedFolder}0` })
}

export interface Counted {
  readonly objects: number
  /** Uploaded films and audio tracks. */
  readonly films: number
  readonly bytes: number
}

/** Counts what a place has of the library. */
export async function countObjects(place: Storage): Promise<Counted> {
  const counted = { objects: 0, films: 0, bytes: 0 }
  for await (const { key, size } of listLibrary(place)) {
    counted.objects += 1
    counted.bytes += size
    if (filmIn(key) !== undefined) counted.films += 1
  }
  return counted
}

/** The id of the uploaded film or audio track that a key has; undefined for everything else. */
export function filmIn(key: string): string | undefined {
  const id = key.split('/')[1] ?? ''
  return key === sourceKey(id) ? id : undefined
}

/** Whether a place has anything of the library, or an upload that may become part of it. */
export async function holdsLibrary(place: Storage): Promise<boolean> {
  for await (const _object of listLibrary(place)) return true
  for await (const _upload of place.listUploads()) return true
  return false
}
