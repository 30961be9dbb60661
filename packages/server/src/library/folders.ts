import { picturesOf } from '../films/pictures.js'
import { isId } from '../lib/object-id.js'
import { filesOf } from '../media-segments/published.js'
import { sourceKey, trackFolder } from '../media-segments/segment-keys.js'
import type { Storage } from '../storage/storage.js'

const parentOf = (key: string) => key.slice(0, key.lastIndexOf('/'))

/** Folders for films and uploaded posters, each with one subfolder per id. */
export const filmsFolder = parentOf(parentOf(sourceKey('id')))
export const picturesFolder = parentOf(picturesOf('id'))
const filesFolder = parentOf(filesOf('id'))
export const segmentsFolder = parentOf(parentOf(trackFolder('id', 'track')))

/** Folders to set aside. Films are moved first and restored first. Segments are made again on demand. */
export const keptFolders: readonly string[] = [filmsFolder, picturesFolder, filesFolder]
export const allFolders: readonly string[] = [...keptFolders, segmentsFolder]

/** Where objects without a row wait to be deleted, in one folder per day. */
export const asideFolder = 'aside/unknown'
export const asideOn = (day: string) => `${asideFolder}/${day}`

const pageSize = 500

/** The ids in a folder, page by page. Other names were not created by Zoetrope and are left alone. */
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
