import type { Db } from '../../db/database.js'
import { invalid, notFound } from '../../errors.js'
import { sharePlaylists } from '../../films/share-playlists.js'
import { newId } from '../../lib/object-id.js'
import type { Call } from '../../resources/feature.js'
import type { Scope } from '../../resources/store.js'

/** A category of a video, as its record shows it. */
interface Entry {
  readonly _id: string
  readonly category_id: string
  readonly title: string
  readonly value: readonly string[]
}

interface Change {
  readonly id?: string | null
  readonly _destroy?: boolean
  readonly category_id?: string | null
  readonly title?: string | null
  readonly value?: readonly string[]
}

interface Category {
  readonly _id: string
  readonly title: string
  readonly values: readonly string[]
}

const name = 'categories_attributes'

export const hasCategories = (body: Call['body']): boolean => Object.hasOwn(body, name)

/** Comes before anything else is held: nobody changes the rules of playlists while a video changes what they look at. */
export async function holdPlaylists(tx: Db, scope: Scope, body: Call['body']): Promise<void> {
  if (hasCategories(body)) await sharePlaylists(tx, scope)
}

/** The fields of a video as they are kept: changes to its categories carried out on those it has. */
export async function withCategories(
  tx: Db,
  scope: Scope,
  { [name]: given, ...body }: Call['body'],
  id?: string,
): Promise<Call['body']> {
  if (given === undefined) return body
  const changes = given as readonly Change[]
  if (changes.length === 0) return { ...body, categories: [] }
  // Categories first, then the video: in the order in which a change to a category takes them.
  const known = await lockCategories(tx, scope, changes, id)
  const entries = id ? await lockEntries(tx, scope, id) : []
  return { ...body, categories: changes.reduce((kept, change) => carriedOut(kept, change, known), entries) }
}

async function lockCategories(tx: Db, { site_id }: Scope, changes: readonly Change[], id?: string) {
  const ids = changes.map(({ category_id }) => category_id ?? '')
  const titles = changes.map(({ title }) => title ?? '')
  return tx<Category[]>`
    select _id, title, values from categories
    where site_id = ${site_id} and (_id = any(${ids}) or title = any(${titles}) or _id in (
      select entry ->> 'category_id' from videos, jsonb_array_elements(categories) as entry
      where site_id = ${site_id} and _id = ${id ?? ''}
    ))
    order by _id for share
  `
}

async function lockEntries(tx: Db, { site_id }: Scope, id: string): Promise<readonly Entry[]> {
  const [video] = await tx<{ categories: Entry[] }[]>`
    select categories from videos where site_id = ${site_id} and _id = ${id} for update
  `
  return video?.categories ?? []
}

function carriedOut(entries: readonly Entry[], change: Change, known: readonly Category[]): readonly Entry[] {
  const category = change.category_id || change.title ? categoryOf(change, known) : undefined
  const old = entries.find(({ _id, category_id }) =>
    change.id ? _id === change.id : category_id === category?._id,
  )
  if (change.id && !old) throw notFound('category')
  if (change._destroy) return entries.filter((entry) => entry !== old)
  const of = category ?? known.find(({ _id }) => _id === old?.category_id)
  if (!of) throw refused('category_id is required')
  const entry = {
    _id: old?._id ?? newId(),
    category_id: of._id,
    title: of.title,
    value: chosenValues(change, of, old),
  }
  // A video has each category once, in its place.
  const others = entries.filter((each) => each === old || each.category_id !== of._id)
  return old ? others.map((each) => (each === old ? entry : each)) : [...others, entry]
}

function chosenValues(
  { value }: Change,
  { _id, title, values }: Category,
  old: Entry | undefined,
): readonly string[] {
  const wanted = [...new Set(value ?? (_id === old?.category_id ? old.value : []))]
  const strange = wanted.filter((each) => !values.includes(each))
  if (strange.length > 0) throw refused(`value must be among those of ${title}: ${strange.join(', ')} is not`)
  return wanted
}

function categoryOf({ category_id, title }: Change, known: readonly Category[]): Category {
  const found = known.find((each) => (category_id ? each._id === category_id : each.title === title))
  if (found) return found
  throw category_id ? notFound('category') : refused(`title ${title} is not that of a category`)
}

const refused = (why: string) => invalid(`Could not save video: ${name} ${why}.`, { [name]: [why] })
