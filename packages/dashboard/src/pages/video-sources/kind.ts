import { catalog } from '@zoetrope/contract'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { strings } from './strings.js'

export const videoSources: RecordKind = {
  name: 'video_sources',
  resource: catalog.video_sources,
  path: '/video-sources',
  icon: 'link',
  strings,
  titleOf: ({ name }) => String(name ?? strings.unnamed),
  columns: [
    { field: 'name', render: ({ name }) => String(name ?? strings.unnamed) },
    { field: 'status', isOnPhone: true },
    'video_count',
    'refreshed_at',
  ],
  filters: ['status'],
  groups: [
    { title: strings.feed, fields: ['url', 'name', 'sync_interval', 'guid'] },
    {
      title: strings.wanted,
      about: strings.wantedAbout,
      fields: ['import_from', 'import_to', 'mrss_category_values'],
    },
    {
      title: strings.after,
      fields: ['auto_add', 'auto_activate', 'category_id', 'sync_video_data_source', 'auto_deactivate'],
    },
  ],
  starting: {
    type: 'mrss',
    sync_interval: 'daily',
    auto_add: true,
    auto_activate: true,
    sync_video_data_source: true,
  },
  inputs: { category_id: referenceTo('categories') },
}
