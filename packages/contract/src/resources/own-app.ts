import { id } from '../fields.js'
import { defineResource } from '../resource.js'
import { apps } from './apps.js'

const { title, active, app_type_id, device_ids, version, store_id, store_icon_url, per_page } = apps.fields
const { theme, device_linking, in_app_purchase } = apps.fields

export const ownApp = defineResource({
  name: 'own_app',
  plural: 'own_apps',
  about:
    'The app of the key or access token, without its secrets. Its settings are returned beside the fields.',
  access: { app: 'read', consumer: 'read' },
  path: 'app',
  single: true,
  derived: true,
  operations: ['get'],
  fields: {
    ...{ title, active, app_type_id, device_ids, version, store_id, store_icon_url, per_page },
    ...{ theme, device_linking, in_app_purchase },
    featured_playlist_id: id({
      about:
        'The playlist to start with: the one the app names or, if it names none that viewers see, the first top-level playlist of the channel. Null if there is none.',
    }),
  },
})
