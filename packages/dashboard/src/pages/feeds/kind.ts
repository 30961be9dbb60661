import { catalog } from '@zoetrope/contract'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { strings } from './strings.js'

export const feeds: RecordKind = {
  name: 'feeds',
  resource: catalog.feeds,
  path: '/feeds',
  icon: 'out',
  strings,
  titleOf: ({ title }) => String(title ?? strings.unnamed),
  columns: [
    { field: 'title', render: ({ title }) => String(title ?? strings.unnamed) },
    'media',
    { field: 'active', isOnPhone: true },
    'created_at',
  ],
  filters: ['active'],
  starting: { media: 'hls', item_limit: 100, active: true },
  inputs: { playlist_id: referenceTo('playlists') },
}
