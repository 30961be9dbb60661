import { picturesOf } from '../films/pictures.js'
import { isId } from '../lib/object-id.js'
import { filesOf } from '../media-segments/published.js'
import { sourceKey, trackFolder } from '../media-segments/segment-keys.js'
import type { Storage } from '../storage/storage.js'

const parentOf = (key: string) => key.slice(0, key.lastIndexOf('/'))

/** Where the objects of a film, or of an uploaded poster, lie: folders with one folder for each id. */
export const filmsFolder = parentOf(parentOf(sourceKey('id')))
export const picturesFolder = parentOf(picturesOf('id'))
const filesFolder = parentOf(filesOf('id'))
export const segmentsFolder = parentOf(parentOf(trackFolder('id', 'track')))

/** What is set aside; a film goes first and comes back first. Segments are made again when somebody watches. */
export const keptFolders: readonly string[] = [filmsFolder, picturesFolder, filesFolder]
export const allFolders: readonly string[] = [...keptFolders, segmentsFolder]

/** Where objects that no row knows wait until they are deleted, a folder for each day. */
export const asideFolder = 'aside/unknown'
export const asideOn = (day: string) => `${asideFolder}/${day}`

const pageSize = 500

/** The ids in a folder, a page at a time. Other names were not put there by Zoetrope, and are left alone. */
export async function* idsIn(storage: Storage, folder: string): AsyncGenerator<readonly string[]> {
  let page: string[] = []
  for await (const name of storage.names(folder)) {
    if (!isId(name)) continue
    page.push(name)
    if (page.length < pageSize) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

/** Whether there is any object under a prefix. */
export async function hasObjects(storage: Storage, prefix: string): Promise<boolean> {
  for await (const _name of storage.names(prefix)) return true
  return false
}
