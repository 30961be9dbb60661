import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { Copyable } from '../../ui/copyable.js'
import { DialogButton } from '../../ui/form-dialog.js'
import { sayDone } from '../../ui/notices.js'
import { dateAndTime, fromNow } from '../../ui/numbers.js'
import { RemoveButton } from '../../ui/remove-button.js'
import { Section } from '../../ui/section.js'
import { Loaded } from '../../ui/states.js'
import { useNow } from '../../ui/use-now.js'
import { KeyForm, type NamedKey } from './key-form.js'
import { describeScopes } from './scopes.js'
import { strings } from './strings.js'

/** The keys that were made for one purpose each. */
export function NamedKeys() {
  const { client, channel } = useSession()
  const query = useQuery({
    queryKey: keyOf('keys', channel._id, 'list'),
    queryFn: ({ signal }) => client.keys.list({ per_page: 100, sort: 'name' }, { signal }),
  })
  return (
    <Section title={strings.named} about={strings.namedAbout} actions={<NewKey />}>
      <Loaded query={query}>
        {({ response }) =>
          response.length === 0 ? (
            <div>
              <Text fw={500}>{strings.noneTitle}</Text>
              <Text size="sm" c="dimmed">
                {strings.noneAbout}
              </Text>
            </div>
          ) : (
            <Stack component="ul" gap="lg" p={0} m={0} style={{ listStyle: 'none' }}>
              {response.map((key) => (
                <KeyRow key={key._id} entry={key} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Section>
  )
}

const NewKey = () => (
  <DialogButton label={strings.newKey} icon="plus" variant="filled" title={strings.newTitle} isWide>
    {(close) => <NewKeyForm onDone={close} />}
  </DialogButton>
)

function NewKeyForm({ onDone }: { onDone(): void }) {
  const [key, setKey] = useState<string>()
  if (key === undefined) return <KeyForm onSaved={(made) => setKey(made.key ?? '')} />
  return (
    <Stack>
      <Text>{strings.shownOnce}</Text>
      <Copyable label={strings.key} text={key} />
      <Group justify="flex-end">
        <Button onClick={onDone} data-autofocus>
          {strings.done}
        </Button>
      </Group>
    </Stack>
  )
}

function KeyRow({ entry }: { readonly entry: NamedKey }) {
  const now = useNow()
  const { client } = useSession()
  const { _id, name, scopes, expires_at, last_used_at, last_four, allowed_networks } = entry
  const isExpired = expires_at !== null && Date.parse(expires_at) <= Date.now()
  const facts = [
    `zk_named_…${last_four}`,
    last_used_at ? strings.lastUsed(fromNow(last_used_at, now)) : strings.neverUsed,
    ...(expires_at && !isExpired ? [strings.expires(dateAndTime(expires_at))] : []),
    ...(allowed_networks.length > 0 ? [strings.from(allowed_networks)] : []),
  ]
  return (
    <Group component="li" justify="space-between" align="flex-start" gap="sm">
      <div style={{ flex: '1 1 16rem', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          {isExpired && (
            <Badge variant="light" color="red" tt="none">
              {strings.expired}
            </Badge>
          )}
        </Group>
        <Text size="sm">{describeScopes(scopes)}</Text>
        <Text size="sm" c="dimmed">
          {facts.join(' · ')}
        </Text>
      </div>
      <Group gap="xs">
        <DialogButton
          label={strings.change}
          aria-label={strings.changeKey(name)}
          title={strings.changeKey(name)}
          size="xs"
          isWide
        >
          {(close) => (
            <KeyForm
              record={entry}
              onSaved={() => {
                close()
                sayDone(strings.saved)
              }}
            />
          )}
        </DialogButton>
        <RemoveButton
          label={strings.revoke}
          aria-label={strings.revokeKey(name)}
          size="xs"
          question={strings.revokeQuestion(name)}
          about={strings.revokeAbout}
          run={(options) => client.keys.remove(_id, options)}
          done={strings.revoked}
          failed={strings.notRevoked}
          stale={[keyOf('keys')]}
        />
      </Group>
    </Group>
  )
}
