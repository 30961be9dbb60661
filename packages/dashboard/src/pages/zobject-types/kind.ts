import { catalog } from '@zoetrope/contract'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { AttributesInput } from './attributes-input.js'
import { strings } from './strings.js'

export const zobjectTypes: RecordKind = {
  name: 'zobject_types',
  resource: catalog.zobject_types,
  path: '/zobject-types',
  icon: 'shapes',
  strings,
  titleOf: ({ title }) => String(title),
  columns: ['title', { field: 'zobject_count', label: strings.objects, isOnPhone: true }, 'created_at'],
  groups: [
    { title: strings.kind, fields: ['title', 'description', 'videos_enabled', 'playlists_enabled'] },
    { title: strings.fields, about: strings.fieldsAbout, fields: ['zobject_attributes_attributes'] },
  ],
  inputs: { zobject_attributes_attributes: AttributesInput },
}
