import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { catalog, type Field, type Resource } from '@zoetrope/contract'
import type { Words } from '@zoetrope/contract/words/field-words'
import { zobjectWords } from '@zoetrope/contract/words/library'
import type { ReactNode } from 'react'
import { keyOf } from '../../data/keys.js'
import type { Entry } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { Icon } from '../../ui/icons.js'
import { labelOf } from '../../ui/labels.js'
import { LoadedPage } from '../../ui/loaded-page.js'
import { ListPage } from '../../ui/record-pages/list-page.js'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { strings } from '../zobject-types/strings.js'

type Type = Entry<'zobject_types'>

const longest = { text: 50_000, string: 5000 }
const largest = 1_000_000_000

/** The form field for an attribute of this type. */
function fieldFor(type: string, about: string): Field {
  if (type === 'boolean') return { kind: 'flag', about, default: false }
  if (type === 'integer') return { kind: 'integer', about, min: -largest, max: largest }
  if (type === 'float' || type === 'number') return { kind: 'number', about, min: -largest, max: largest }
  if (type === 'datetime') return { kind: 'timestamp', about }
  if (type === 'url') return { kind: 'text', about, maxLength: 2000, format: 'url' }
  if (type === 'array')
    return {
      kind: 'list',
      about,
      item: 'value',
      maxItems: 100,
      of: { kind: 'text', about: '', maxLength: 5000 },
    }
  return { kind: 'text', about, maxLength: type === 'text' ? longest.text : longest.string }
}

const own = ['title', 'description', 'active', 'keywords']

/** How objects of one type are shown, including the fields that the type adds. */
function kindOf({ _id, title, zobject_attributes }: Type): RecordKind {
  const added = zobject_attributes.map(({ field_name, field_type, description }) => [
    field_name ?? '',
    fieldFor(field_type ?? 'string', description ?? ''),
  ]) as [string, Field][]
  const fields: Resource['fields'] = catalog.zobjects.fields
  const resource: Resource = {
    ...catalog.zobjects,
    fields: { ...Object.fromEntries(added), ...fields },
  }
  const words: Words = {
    ...Object.fromEntries(
      added.map(([name, { about }]) => [name, { label: labelOf(name), help: about || null }]),
    ),
    ...zobjectWords,
  }
  const names = added.map(([name]) => name).filter((name) => !(name in fields))
  return {
    name: 'zobjects',
    resource,
    words,
    path: `/zobjects/${_id}`,
    icon: 'shapes',
    strings: {
      title,
      create: strings.newObject,
      empty: strings.emptyObjects,
      emptyAbout: strings.emptyObjectsAbout,
    },
    titleOf: (record) => String(record.title),
    columns: ['title', ...names.slice(0, 3), 'active', 'created_at'],
    filters: ['active'],
    base: { zobject_type: title, active: 'all' },
    beside: { zobject_type: title },
    starting: { active: true },
    groups: [{ fields: own }, ...(names.length > 0 ? [{ title: strings.fields, fields: names }] : [])],
  }
}

const parent = { label: strings.title, to: '/zobject-types' }

/** Loads the type of object that the URL names. */
function WithType({ children }: { readonly children: (kind: RecordKind) => ReactNode }) {
  const { type = '' } = useParams({ strict: false }) as { type?: string }
  const { client, channel } = useSession()
  const query = useQuery({
    queryKey: keyOf('zobject_types', channel._id, 'record', type),
    queryFn: ({ signal }) => client.zobject_types.get(type, { signal }),
    select: kindOf,
  })
  return (
    <LoadedPage query={query} parent={parent}>
      {children}
    </LoadedPage>
  )
}

export function List() {
  const { type = '' } = useParams({ strict: false }) as { type?: string }
  return (
    <WithType>
      {(kind) => (
        <ListPage
          key={type}
          kind={kind}
          actions={
            <Button
              variant="default"
              leftSection={<Icon name="settings" />}
              renderRoot={(props) => <Link to={`/zobject-types/${type}`} {...props} />}
            >
              {strings.fields}
            </Button>
          }
        />
      )}
    </WithType>
  )
}

export const Record = () => <WithType>{(kind) => <RecordPage kind={kind} />}</WithType>
