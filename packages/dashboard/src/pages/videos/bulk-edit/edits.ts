import { catalog, type Field, isShown } from '@zoetrope/contract'
import type { Video } from '../../../data/records.js'

/** How a field is changed. Values can also be added to lists and removed from them. */
export type Way = 'set' | 'add' | 'remove'

export interface Edit {
  readonly field: string
  readonly way: Way
  readonly value: unknown
}

/** The category and values of an edit of categories. */
export interface CategoryEdit {
  readonly category_id: string
  readonly title: string
  readonly values: readonly string[]
}

/** Fields that are unique to each video or cannot be edited in bulk. */
const single = new Set([
  ...[
    'title',
    'friendly_title',
    'internal_title',
    'source_id',
    'foreign_id',
    'source_url',
    'mrss_id',
    'youtube_id',
  ],
  ...['vimeo_id', 'hulu_id', 'crunchyroll_id', 'kaltura_id', 'discovery_url', 'custom_thumbnail_url'],
  ...['formats', 'marketplace_ids', 'segments', 'zobject_ids', 'preview_ids', 'episode'],
])

const canBeSet = ([name, field]: readonly [string, Field]) =>
  !field.computed && isShown(field) && !single.has(name) && field.kind !== 'objects' && field.kind !== 'file'

/** The fields that can be edited for several videos at once. */
export const editable: readonly string[] = [
  ...Object.entries(catalog.videos.fields)
    .filter(canBeSet)
    .map(([name]) => name),
  'categories',
]

export const fieldOf = (name: string): Field =>
  (catalog.videos.fields as Readonly<Record<string, Field>>)[name] as Field

export const waysOf = (name: string): readonly Way[] => {
  if (name === 'categories') return ['add', 'remove']
  if (fieldOf(name).kind === 'list') return ['add', 'remove', 'set']
  return fieldOf(name).kind === 'map' ? ['add'] : ['set']
}

type Values = Readonly<Record<string, unknown>>

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

function listAfter(before: readonly string[], { way, value }: Edit): readonly string[] {
  const given = texts(value)
  if (way === 'remove') return before.filter((each) => !given.includes(each))
  return way === 'add' ? [...new Set([...before, ...given])] : given
}

function valueAfter(before: unknown, edit: Edit): unknown {
  const { kind } = fieldOf(edit.field)
  if (kind === 'list') return listAfter(texts(before), edit)
  return kind === 'map' ? { ...(before as object), ...(edit.value as object) } : edit.value
}

/** The values that a video has in the category of an edit, before and after it. */
function categoryValues(video: Video, { way, value }: Edit) {
  const { category_id, values } = value as CategoryEdit
  const entry = video.categories.find((each) => each.category_id === category_id)
  const before = entry?.value ?? []
  const after =
    way === 'add' ? [...new Set([...before, ...values])] : before.filter((each) => !values.includes(each))
  return { entry, before, after }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

interface Shown {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** The changes that the edits make to a video. Fields that already have the value are left out. */
function shownChanges(video: Video, edits: readonly Edit[]): readonly Shown[] {
  return edits
    .map((edit): Shown => {
      if (edit.field === 'categories') return { field: edit.field, ...categoryValues(video, edit) }
      const before = (video as Values)[edit.field]
      return { field: edit.field, before, after: valueAfter(before, edit) }
    })
    .filter(({ before, after }) => !same(before ?? null, after ?? null))
}

function categoryChange(video: Video, edit: Edit): object {
  const { category_id } = edit.value as CategoryEdit
  const { entry, after } = categoryValues(video, edit)
  if (!entry) return { category_id, value: after }
  return after.length === 0 ? { id: entry._id, _destroy: true } : { id: entry._id, value: after }
}

/** The update to send for a video, or undefined if nothing changes. */
export function changesFor(video: Video, edits: readonly Edit[]): Values | undefined {
  const changed = new Set(shownChanges(video, edits).map(({ field }) => field))
  const wanted = edits.filter(({ field }) => changed.has(field))
  if (wanted.length === 0) return undefined
  return Object.fromEntries(
    wanted.map((edit) =>
      edit.field === 'categories'
        ? ['categories_attributes', [categoryChange(video, edit)]]
        : [edit.field, valueAfter((video as Values)[edit.field], edit)],
    ),
  )
}
