import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { catalog } from '@zoetrope/contract'
import { webhookWords } from '@zoetrope/contract/words/webhooks'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import type { Entry } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { Copyable } from '../../ui/copyable.js'
import { PageLayout } from '../../ui/page.js'
import { ListPage } from '../../ui/record-pages/list-page.js'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { ResourceForm } from '../../ui/resource-form/resource-form.js'
import { Section } from '../../ui/section.js'
import { Actions } from './actions.js'
import { Deliveries } from './deliveries.js'
import { EventsInput } from './events-input.js'
import { Health } from './health.js'
import { strings } from './strings.js'

type Webhook = Entry<'webhooks'>

const webhooks: RecordKind<keyof typeof webhookWords> = {
  name: 'webhooks',
  resource: catalog.webhooks,
  words: webhookWords,
  path: '/webhooks',
  icon: 'link',
  strings,
  titleOf: ({ description, url }) => String(description || url),
  columns: ['url', 'events', { field: 'active', isOnPhone: true }, 'created_at'],
  filters: ['active'],
  groups: [{ title: strings.receiver, fields: ['url', 'events', 'description', 'active'] }],
  starting: { active: true },
  inputs: { events: EventsInput },
}

export const List = () => <ListPage kind={webhooks} />

export function Record() {
  const { id } = useParams({ strict: false }) as { id?: string }
  if (id === 'new') return <NewWebhook />
  return (
    <RecordPage kind={webhooks} actions={(record) => <Actions webhook={record as unknown as Webhook} />}>
      {(record) => {
        const webhook = record as unknown as Webhook
        return (
          <>
            <Health webhook={webhook} />
            <Deliveries id={webhook._id} />
          </>
        )
      }}
    </RecordPage>
  )
}

/** The form of a new webhook and then its secret, which is shown only now. */
function NewWebhook() {
  const { client } = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [made, setMade] = useState<Webhook>()
  return (
    <PageLayout
      title={strings.create}
      parents={[{ label: strings.title, to: webhooks.path }]}
      maw="52rem"
      actions={
        <Anchor href="/docs" target="_blank">
          {strings.guide}
        </Anchor>
      }
    >
      {made ? (
        <Section title={strings.secret}>
          <Stack>
            <Text>{strings.secretOnce}</Text>
            <Copyable label={strings.secret} text={made.secret ?? ''} />
            <Group justify="flex-end">
              <Button
                renderRoot={(props) => <Link to={`${webhooks.path}/${made._id}`} {...props} />}
                autoFocus
              >
                {strings.open}
              </Button>
            </Group>
          </Stack>
        </Section>
      ) : (
        <ResourceForm<Webhook, typeof webhookWords>
          resource={catalog.webhooks}
          words={webhookWords}
          groups={webhooks.groups}
          starting={webhooks.starting}
          inputs={webhooks.inputs}
          save={(fields, options) => client.webhooks.create(fields as never, options)}
          onSaved={(saved) => {
            void queries.invalidateQueries({ queryKey: keyOf('webhooks') })
            setMade(saved)
          }}
          onCancel={() => void navigate({ to: webhooks.path })}
        />
      )}
    </PageLayout>
  )
}
