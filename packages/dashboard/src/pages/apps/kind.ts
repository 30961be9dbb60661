import { catalog } from '@zoetrope/contract'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { strings } from './strings.js'

export const apps: RecordKind = {
  name: 'apps',
  resource: catalog.apps,
  path: '/apps',
  icon: 'grid',
  strings,
  titleOf: ({ title }) => String(title),
  columns: ['title', 'client_id', 'active', 'created_at'],
  filters: ['active'],
  groups: [
    { title: strings.app, fields: ['title', 'active', 'app_type_id', 'device_ids', 'settings'] },
    {
      title: strings.signIn,
      fields: ['public_client', 'password_grant', 'device_renewal', 'redirect_uris'],
    },
    {
      title: strings.viewers,
      fields: ['theme', 'featured_playlist_id', 'device_linking', 'in_app_purchase'],
    },
    { title: strings.pages, fields: ['first_page', 'per_page'] },
    { title: strings.store, fields: ['version', 'store_id', 'store_icon_url'] },
  ],
  starting: { active: true, theme: 'light', device_linking: true },
  inputs: {
    device_ids: referenceTo('devices', 'name'),
    featured_playlist_id: referenceTo('playlists'),
  },
}
