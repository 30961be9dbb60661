import { Group, Stack } from '@mantine/core'
import type { AppSecrets } from '@zoetrope/sdk'
import { useState } from 'react'
import type { Plain } from '../../data/plain.js'
import { useSession } from '../../data/session.js'
import { Copyable } from '../../ui/copyable.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { SecretActions } from '../../ui/secret-actions.js'
import { Section } from '../../ui/section.js'
import { apps } from './kind.js'
import { strings } from './strings.js'

export const Page = () => (
  <RecordPage kind={apps}>{(record) => <Credentials key={record._id} record={record} />}</RecordPage>
)

const secrets = { app_key: strings.appKey, client_secret: strings.clientSecret } as const

/** What the app proves itself with: the secrets of it in part, until somebody gives their password. */
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
            stale={['apps']}
          />
        </Group>
      </Stack>
    </Section>
  )
}
