import { catalog, type Resource, slug } from '@zoetrope/contract'
import { videoWords } from '@zoetrope/contract/words/videos'
import type { CallOptions } from '@zoetrope/sdk'
import { ZoetropeError } from '@zoetrope/sdk'
import { useMemo } from 'react'
import { useSession } from '../../data/session.js'
import { FieldInput } from '../../ui/resource-form/field-input.js'
import type { InputProps } from '../../ui/resource-form/input-props.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { ResourceForm } from '../../ui/resource-form/resource-form.js'
import type { Values } from '../../ui/resource-form/values.js'
import { isUnwatchable } from '../../ui/video-state.js'
import { AtAGlance } from './at-a-glance.js'
import { categoriesOf } from './categories-input.js'
import { accessFields, scheduleFields, type VideoField, type VideoGroup } from './field-groups.js'
import { objectsOf } from './objects-input.js'
import { distinctSlug, followTitle, isSeen } from './slug.js'
import { slugOf } from './slug-input.js'
import { strings } from './strings.js'
import { type TabProps, tabSearch } from './tab-props.js'

const named: readonly VideoGroup[] = [
  {
    title: strings.groups.main,
    fields: [
      'title',
      'friendly_title',
      'short_description',
      'description',
      'keywords',
      'active',
      'categories_attributes',
    ],
  },
  {
    title: strings.groups.series,
    fold: 'videos.series',
    isDense: true,
    fields: ['series_id', 'season', 'episode', 'genre', 'language', 'country'],
  },
  {
    title: strings.groups.attached,
    fold: 'videos.attached',
    fields: ['preview_ids', 'zobject_ids'],
  },
]

/** IDs of the video in other services. */
const isId = (name: VideoField) => name.endsWith('_id') || name === 'marketplace_ids'

/** Fields that are edited elsewhere: the film, chapters, and the other tabs. */
const elsewhere: readonly string[] = [
  ...['segments', 'content_rule_profile_id'],
  ...named.flatMap(({ fields }) => fields),
  ...scheduleFields,
  ...accessFields,
]

const isWritten = (name: string): name is VideoField => {
  const field = (catalog.videos.fields as Resource['fields'])[name]
  return field !== undefined && !field.computed
}

/** The groups of all writable fields, including fields that are added to the definition later. */
function groupsOf(): readonly VideoGroup[] {
  const rest = Object.keys(videoWords)
    .filter(isWritten)
    .filter((name) => !elsewhere.includes(name))
  const ids = { title: strings.groups.ids, about: strings.groups.idsAbout, fold: 'videos.ids', isDense: true }
  return [
    ...named,
    { ...ids, fields: rest.filter(isId) },
    { title: strings.groups.more, fold: 'videos.more', fields: rest.filter((name) => !isId(name)) },
  ]
}

const [main, ...others] = groupsOf() as [VideoGroup, ...VideoGroup[]]
const previews = referenceTo('videos')

/** Whether another video already has the slug of this title. */
const isTaken = (error: unknown): boolean =>
  error instanceof ZoetropeError && error.errors.friendly_title !== undefined

/** A video that cannot be played yet is not published, whatever is chosen. */
const PublishWhenReady = (props: InputProps) => (
  <FieldInput {...props} label={strings.publishWhenReady} help={null} />
)

/** The fields of a video. */
export function DetailsTab({ video, put }: TabProps) {
  const { client, mayEdit } = useSession()
  const { _id, title, friendly_title, categories, video_zobjects } = video
  const { fields } = tabSearch.useSearch()
  const isVisible = isSeen(video)
  const isLate = isUnwatchable(video)
  const slugInput = useMemo(
    () => slugOf({ _id, title, friendly_title }, isVisible),
    [_id, title, friendly_title, isVisible],
  )
  const inputs = useMemo(
    () => ({
      categories_attributes: categoriesOf(categories),
      preview_ids: previews,
      zobject_ids: objectsOf(video_zobjects),
      friendly_title: slugInput,
      ...(isLate ? { active: PublishWhenReady } : {}),
    }),
    [categories, video_zobjects, slugInput, isLate],
  )
  const groups = useMemo(() => [{ ...main, outcome: () => <AtAGlance video={video} /> }, ...others], [video])
  const save = async (changes: Values, options: CallOptions) => {
    try {
      return await client.videos.update(_id, changes, options)
    } catch (error) {
      const next = String(changes.title ?? title)
      if (!isTaken(error) || changes.friendly_title !== slug(next)) throw error
      // It is another request, so it needs another key.
      const other = { ...options, idempotencyKey: `${options.idempotencyKey}-2` }
      return client.videos.update(_id, { ...changes, friendly_title: distinctSlug(next, _id) }, other)
    }
  }
  return (
    <ResourceForm
      resource={catalog.videos}
      words={videoWords}
      record={video}
      read={(options) => client.videos.get(_id, options)}
      groups={groups}
      inputs={inputs}
      isDisabled={!mayEdit}
      isAllOpen={fields === 'all'}
      follow={(name, value, before) => followTitle(video, name, value, before)}
      save={save}
      onSaved={put}
    />
  )
}
