import { Group, Stack } from '@mantine/core'
import { catalog } from '@zoetrope/contract'
import { appWords } from '@zoetrope/contract/words/apps'
import type { AppSecrets } from '@zoetrope/sdk'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import type { Plain } from '../../data/plain.js'
import { useSession } from '../../data/session.js'
import { Copyable } from '../../ui/copyable.js'
import { ListPage } from '../../ui/record-pages/list-page.js'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { SecretActions } from '../../ui/secret-actions.js'
import { Section } from '../../ui/section.js'
import { strings } from './strings.js'

const apps: RecordKind<keyof typeof appWords> = {
  name: 'apps',
  resource: catalog.apps,
  words: appWords,
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

export const List = () => <ListPage kind={apps} />

export const Record = () => (
  <RecordPage kind={apps}>{(record) => <Credentials key={record._id} record={record} />}</RecordPage>
)

const secrets = { app_key: strings.appKey, client_secret: strings.clientSecret } as const

/** The credentials of an app. Secrets are masked until the user confirms the password. */
function Credentials({ record }: { readonly record: Plain }) {
  const { publisher } = useSession()
  const [shown, setShown] = useState<AppSecrets>()
  return (
    <Section title={strings.credentials}>
      <Stack>
        <Copyable label={strings.clientId} text={String(record.client_id)} />
        {(['app_key', 'client_secret'] as const).map((name) => (
          <Copyable
            key={name}
            label={secrets[name]}
            text={shown?.[name] ?? String(record[name])}
            isMasked={shown === undefined}
          />
        ))}
        <Group justify="flex-end">
          <SecretActions
            name={strings.secrets}
            about={strings.replaceAbout}
            isShown={shown !== undefined}
            reveal={() => publisher.revealApp(record._id)}
            replace={(hours) => publisher.rotateApp(record._id, hours)}
            onShown={setShown}
            stale={keyOf('apps')}
          />
        </Group>
      </Stack>
    </Section>
  )
}
