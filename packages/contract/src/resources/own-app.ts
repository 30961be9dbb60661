import { defineResource } from '../resource.js'
import { apps } from './apps.js'

const { title, active, app_type_id, device_ids, version, store_id, store_icon_url, per_page } = apps.fields

export const ownApp = defineResource({
  name: 'own_app',
  plural: 'own_apps',
  about: 'The app whose key or access token asks, without its secrets. Its settings stand beside the fields.',
  access: { app: 'read', consumer: 'read' },
  path: 'app',
  single: true,
  derived: true,
  operations: ['get'],
  fields: { title, active, app_type_id, device_ids, version, store_id, store_icon_url, per_page },
})
