import { SegmentedControl } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { catalog } from '@zoetrope/contract'
import { playlistWords } from '@zoetrope/contract/words/playlists'
import { ListPage } from '../../ui/record-pages/list-page.js'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { PriceInput } from '../../ui/resource-form/money-inputs.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { ProfileInput } from '../../ui/rule-list/profile-input.js'
import { RecordRules } from '../../ui/rule-list/record-rules.js'
import { RulesInput } from './rules-input.js'
import { rulesPreview } from './rules-preview.js'
import { strings } from './strings.js'
import { PlaylistTree } from './tree.js'
import { PlaylistVideos } from './videos.js'

const playlists: RecordKind<keyof typeof playlistWords> = {
  name: 'playlists',
  resource: catalog.playlists,
  words: playlistWords,
  path: '/playlists',
  icon: 'list',
  strings,
  titleOf: ({ title }) => String(title),
  columns: [
    'title',
    { field: 'playlist_item_count', label: strings.videos, isOnPhone: true },
    'playlist_type',
    'active',
    'created_at',
  ],
  filters: ['active', 'playlist_type'],
  base: { active: 'all' },
  starting: { active: true, priority: null },
  groups: [
    { title: strings.shown, fields: ['title', 'description', 'active', 'keywords'] },
    { title: strings.place, fields: ['parent_id', 'priority'] },
    { title: strings.fills, fields: ['playlist_type'] },
    {
      title: strings.rules,
      about: strings.rulesAbout,
      fields: ['match_type', 'categories', 'sort_options'],
      isShown: ({ playlist_type }) => playlist_type === 'category',
      outcome: rulesPreview,
    },
    {
      title: strings.sold,
      fields: ['purchase_required', 'purchase_price', 'rental_required', 'rental_price', 'rental_duration'],
    },
    { title: strings.audience, about: strings.audienceAbout, fields: ['content_rule_profile_id'] },
    {
      title: strings.more,
      fields: [
        'friendly_title',
        'internal_title',
        'thumbnail_layout',
        'custom_thumbnail_url',
        'discovery_url',
        'marketplace_ids',
      ],
    },
  ],
  inputs: {
    parent_id: referenceTo('playlists'),
    categories: RulesInput,
    content_rule_profile_id: ProfileInput,
    purchase_price: PriceInput,
    rental_price: PriceInput,
  },
}

/** All playlists, as a list or as a tree. */
export function List() {
  const [view, setView] = useLocalStorage<'list' | 'tree'>({
    key: 'zoetrope.playlists.view',
    defaultValue: 'list',
    getInitialValueInEffect: false,
  })
  const choice = (
    <SegmentedControl
      aria-label={strings.view}
      value={view}
      onChange={(value) => setView(value as typeof view)}
      data={[
        { value: 'list', label: strings.list },
        { value: 'tree', label: strings.tree },
      ]}
    />
  )
  return view === 'list' ? <ListPage kind={playlists} actions={choice} /> : <PlaylistTree actions={choice} />
}

export const Record = () => (
  <RecordPage kind={playlists}>
    {({ _id, playlist_type, updated_at }) => (
      <>
        <PlaylistVideos id={_id} isManual={playlist_type === 'manual'} version={String(updated_at)} />
        <RecordRules name="playlist_content_rules" parentId={_id} {...strings.ownRules} />
      </>
    )}
  </RecordPage>
)
