import type { BodyOf, Catalog } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { type Fragment, sql } from '../../db/fragment.js'
import { couldNotSave, notFound } from '../../errors.js'
import type { Category } from '../../films/categories.js'
import type { Scope } from '../../resources/store.js'

/** A rule as it is stored. */
interface Rule {
  readonly category_id: string
  readonly title: string
  readonly value: readonly string[]
  readonly exclude_values: readonly string[]
}

type SentRules = Pick<BodyOf<Catalog['playlists']>, 'categories'>
type GivenRule = NonNullable<SentRules['categories']>[number]

/** Returns the fields of a playlist as they are stored, with each rule completed from its category. */
export async function withRules<B extends SentRules>(tx: Db, { site_id }: Scope, body: B): Promise<B> {
  if (body.categories === undefined) return body
  const rules = body.categories.filter(({ _destroy }) => !_destroy)
  const ids = rules.map(({ category_id }) => category_id ?? '')
  const titles = rules.map(({ title }) => title ?? '')
  const known = await tx<Category[]>`
    select _id, title, values from categories
    where site_id = ${site_id} and (_id = any(${ids}) or title = any(${titles})) order by _id for share
  `
  return { ...body, categories: rules.map((rule) => completed(rule, known)) }
}

function completed(
  { category_id, title, value, exclude_values }: GivenRule,
  known: readonly Category[],
): Rule {
  const category = known.find((each) => (category_id ? each._id === category_id : each.title === title))
  if (!category)
    throw title && !category_id
      ? couldNotSave('playlist', 'categories', 'title is not that of a category')
      : notFound('category')
  const strange = [...(value ?? []), ...(exclude_values ?? [])].filter(
    (each) => !category.values.includes(each),
  )
  if (strange.length > 0)
    throw couldNotSave(
      'playlist',
      'categories',
      `value must be among those of ${category.title}: ${strange.join(', ')} is not`,
    )
  return {
    category_id: category._id,
    title: category.title,
    value: [...new Set(value ?? [])],
    exclude_values: [...new Set(exclude_values ?? [])],
  }
}

/** The condition for videos that match the `filled_by` of a playlist. Without rules, none do. */
export const filling = (path: string | null): Fragment =>
  // The second condition is redundant, but required for the partial index on videos with categories.
  path === null ? sql`false` : sql`(categories @@ ${path}::text::jsonpath and categories <> '[]')`
