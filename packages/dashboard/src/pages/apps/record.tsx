import { Stack } from '@mantine/core'
import type { Plain } from '../../data/plain.js'
import { useSession } from '../../data/session.js'
import { ActionButton } from '../../ui/action-button.js'
import { Copyable } from '../../ui/copyable.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { Section } from '../../ui/section.js'
import { apps } from './kind.js'
import { strings } from './strings.js'

export function Page() {
  const { client } = useSession()
  return (
    <RecordPage
      kind={apps}
      actions={({ _id }) => (
        <ActionButton
          icon="again"
          run={() => client.apps.rotate(_id)}
          done={strings.rotated}
          failed={strings.notRotated}
          stale={[['apps']]}
        >
          {strings.rotate}
        </ActionButton>
      )}
    >
      {(record) => <Credentials record={record} />}
    </RecordPage>
  )
}

const shown = { app_key: strings.appKey, client_id: strings.clientId, client_secret: strings.clientSecret }

const Credentials = ({ record }: { readonly record: Plain }) => (
  <Section title={strings.credentials}>
    <Stack>
      {Object.entries(shown).map(([name, label]) => (
        <Copyable key={name} label={label} text={String(record[name])} />
      ))}
    </Stack>
  </Section>
)
