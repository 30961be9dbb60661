import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { catalog } from '@zoetrope/contract'
import { zobjectTypeWords } from '@zoetrope/contract/words/library'
import { Icon } from '../../ui/icons.js'
import { ListPage } from '../../ui/record-pages/list-page.js'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { AttributesInput } from './attributes-input.js'
import { strings } from './strings.js'

const zobjectTypes: RecordKind<keyof typeof zobjectTypeWords> = {
  name: 'zobject_types',
  resource: catalog.zobject_types,
  words: zobjectTypeWords,
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

export const List = () => <ListPage kind={zobjectTypes} />

export const Record = () => (
  <RecordPage
    kind={zobjectTypes}
    actions={({ _id }) => (
      <Button
        variant="default"
        leftSection={<Icon name="shapes" />}
        renderRoot={(props) => <Link to={`/zobjects/${_id}`} {...props} />}
      >
        {strings.objects}
      </Button>
    )}
  />
)
