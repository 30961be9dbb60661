import type { BodyOf, Catalog } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { couldNotSave, notFound } from '../errors.js'
import { newId } from '../lib/object-id.js'
import type { Scope, Values } from '../resources/store.js'

/** A category of a video, as the video's record shows it. */
interface CategoryEntry {
  readonly _id: string
  readonly category_id: string
  readonly title: string
  readonly value: readonly string[]
}

/** The field of a request with changes to the categories of a video. */
export type CategoryFields = Pick<BodyOf<Catalog['videos']>, typeof field>
type CategoryChange = NonNullable<CategoryFields[typeof field]>[number]

export interface Category {
  readonly _id: string
  readonly title: string
  readonly values: readonly string[]
}

const field = 'categories_attributes'

export const hasCategories = (body: Values): boolean => Object.hasOwn(body, field)

/**
 * Keeps the rules of the channel's playlists unchanged until the transaction ends. Every writer of categories of videos
 * takes this lock, before any lock on a category or a video; docs/decisions/0030 says why.
 */
export async function sharePlaylists(tx: Db, { site_id }: Scope): Promise<void> {
  await tx`select share_playlists(${site_id})`
}

/** Takes the lock of `sharePlaylists` if these fields change categories. Call it before any other lock is taken. */
export async function sharePlaylistsFor(tx: Db, scope: Scope, body: Values): Promise<void> {
  if (hasCategories(body)) await sharePlaylists(tx, scope)
}

/** Replaces the changes to categories in these fields by the categories that the video has after them. */
export async function withCategories(
  tx: Db,
  scope: Scope,
  { [field]: changes, ...body }: Values & CategoryFields,
  id?: string,
): Promise<Values> {
  if (changes === undefined) return body
  if (changes.length === 0) return { ...body, categories: [] }
  // Categories are locked before the video, in the order in which a change to a category locks them.
  const known = await lockCategories(tx, scope, changes, id)
  const entries = id ? await lockEntries(tx, scope, id) : []
  return { ...body, categories: changes.reduce((kept, change) => applyChange(kept, change, known), entries) }
}

async function lockCategories(tx: Db, { site_id }: Scope, changes: readonly CategoryChange[], id?: string) {
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

async function lockEntries(tx: Db, { site_id }: Scope, id: string): Promise<readonly CategoryEntry[]> {
  const [video] = await tx<{ categories: CategoryEntry[] }[]>`
    select categories from videos where site_id = ${site_id} and _id = ${id} for update
  `
  return video?.categories ?? []
}

function applyChange(
  entries: readonly CategoryEntry[],
  change: CategoryChange,
  known: readonly Category[],
): readonly CategoryEntry[] {
  const category = change.category_id || change.title ? categoryOf(change, known) : undefined
  const old = entries.find(({ _id, category_id }) =>
    change.id ? _id === change.id : category_id === category?._id,
  )
  if (change.id && !old) throw notFound('category')
  if (change._destroy) return entries.filter((entry) => entry !== old)
  const of = category ?? known.find(({ _id }) => _id === old?.category_id)
  if (!of) throw couldNotSave('video', field, 'category_id is required')
  const entry = {
    _id: old?._id ?? newId(),
    category_id: of._id,
    title: of.title,
    value: chosenValues(change, of, old),
  }
  // A video has each category at most once; a changed entry keeps its position.
  const others = entries.filter((each) => each === old || each.category_id !== of._id)
  return old ? others.map((each) => (each === old ? entry : each)) : [...others, entry]
}

function chosenValues(
  { value }: CategoryChange,
  { _id, title, values }: Category,
  old: CategoryEntry | undefined,
): readonly string[] {
  const chosen = [...new Set(value ?? (_id === old?.category_id ? old.value : []))]
  const unknown = chosen.filter((each) => !values.includes(each))
  if (unknown.length > 0)
    throw couldNotSave('video', field, `value must be among those of ${title}: ${unknown.join(', ')} is not`)
  return chosen
}

function categoryOf({ category_id, title }: CategoryChange, known: readonly Category[]): Category {
  const found = known.find((each) => (category_id ? each._id === category_id : each.title === title))
  if (found) return found
  throw category_id
    ? notFound('category')
    : couldNotSave('video', field, `title ${title} is not that of a category`)
}
