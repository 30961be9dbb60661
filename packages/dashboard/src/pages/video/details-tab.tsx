import { catalog } from '@zoetrope/contract'
import { useSession } from '../../data/session.js'
import { type FieldGroup, ResourceForm } from '../../ui/resource-form/resource-form.js'
import { strings } from './strings.js'
import type { TabProps } from './tabs.js'

const named: readonly FieldGroup[] = [
  {
    title: strings.groups.main,
    fields: ['title', 'short_description', 'description', 'keywords', 'friendly_title', 'internal_title'],
  },
  {
    title: strings.groups.schedule,
    about: strings.groups.schedule_about,
    fields: ['active', 'featured', 'published_at', 'enable_at', 'disable_at'],
  },
  {
    title: strings.groups.sorting,
    fields: [
      'genre',
      'season',
      'episode',
      'series_id',
      'language',
      'country',
      'parental_guidelines_rating',
      'mature_content',
    ],
  },
  {
    title: strings.groups.access,
    about: strings.groups.access_about,
    fields: [
      'registration_required',
      'subscription_required',
      'subscription_ads_enabled',
      'pass_required',
      'purchase_required',
      'purchase_price',
      'rental_required',
      'rental_price',
      'rental_duration',
      'redemption_code_required',
    ],
  },
  { title: strings.groups.live, fields: ['live_event', 'on_air', 'on_air_at', 'off_air_at'] },
]

const isId = (name: string) => name.endsWith('_id') || name === 'marketplace_ids'
/** The film is replaced on a page of its own, and changes to categories are no fields that a record shows. */
const elsewhere = ['source_url', ...named.flatMap(({ fields }) => fields)]

/** Every field that can be written has its place, also one that the definition gains later. */
function groupsOf(): readonly FieldGroup[] {
  const rest = Object.entries(catalog.videos.fields)
    .filter(([name, field]) => !('computed' in field) && !('writeOnly' in field) && !elsewhere.includes(name))
    .map(([name]) => name)
  return [
    ...named,
    { title: strings.groups.ids, fields: rest.filter(isId) },
    { title: strings.groups.more, fields: rest.filter((name) => !isId(name)) },
  ]
}

const groups = groupsOf()

/** Everything that can be said about a video. */
export function DetailsTab({ video, put }: TabProps) {
  const { client, mayEdit } = useSession()
  return (
    <ResourceForm
      resource={catalog.videos}
      record={video}
      groups={groups}
      isDisabled={!mayEdit}
      save={(changes) => client.videos.update(video._id, changes)}
      onSaved={put}
    />
  )
}
