import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { Copyable } from '../../ui/copyable.js'
import { DialogButton, QuickForm } from '../../ui/form-dialog.js'
import { fromNow } from '../../ui/numbers.js'
import { RemoveButton } from '../../ui/remove-button.js'
import { Section } from '../../ui/section.js'
import { Loaded } from '../../ui/states.js'
import { useNow } from '../../ui/use-now.js'
import { strings } from './strings.js'

/** The keys with which the publisher's servers sign playback tokens. */
export function SigningKeys() {
  const { client, channel } = useSession()
  const now = useNow()
  const query = useQuery({
    queryKey: keyOf('signing_keys', channel._id, 'list'),
    queryFn: ({ signal }) => client.signing_keys.list({ per_page: 100, sort: 'name' }, { signal }),
  })
  return (
    <Section
      title={strings.signing.title}
      about={strings.signing.about}
      actions={
        <DialogButton label={strings.signing.newKey} icon="plus" isWide>
          {(close) => <NewSigningKey onDone={close} />}
        </DialogButton>
      }
    >
      <Loaded query={query}>
        {({ response }) =>
          response.length === 0 ? (
            <Text size="sm" c="dimmed">
              {strings.signing.none}
            </Text>
          ) : (
            <Stack component="ul" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
              {response.map(({ _id, name, created_at }) => (
                <Group key={_id} component="li" justify="space-between" align="flex-start" gap="sm">
                  <div style={{ flex: '1 1 16rem', minWidth: 0, overflowWrap: 'anywhere' }}>
                    <Text fw={600}>{name}</Text>
                    <Text size="sm" c="dimmed">
                      {[_id, strings.made(fromNow(created_at, now))].join(' · ')}
                    </Text>
                  </div>
                  <RemoveButton
                    label={strings.revoke}
                    aria-label={strings.revokeKey(name)}
                    size="xs"
                    question={strings.revokeQuestion(name)}
                    about={strings.signing.revokeAbout}
                    run={(options) => client.signing_keys.remove(_id, options)}
                    done={strings.revoked}
                    failed={strings.notRevoked}
                    stale={[keyOf('signing_keys')]}
                  />
                </Group>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Section>
  )
}

/** Creates a key, and shows its private half once. The server may ask for the password first. */
function NewSigningKey({ onDone }: { onDone(): void }) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [made, setMade] = useState<{ readonly _id: string; readonly private_key: string | null }>()
  if (made)
    return (
      <Stack>
        <Text>{strings.signing.shownOnce}</Text>
        <Copyable label={strings.signing.keyId} text={made._id} />
        <Copyable label={strings.signing.privateKey} text={made.private_key ?? ''} />
        <Group justify="flex-end">
          <Button onClick={onDone} data-autofocus>
            {strings.done}
          </Button>
        </Group>
      </Stack>
    )
  return (
    <QuickForm
      label={strings.create}
      send={() => client.signing_keys.create({ name })}
      onSent={(saved) => {
        setMade(saved)
        return queries.invalidateQueries({ queryKey: keyOf('signing_keys') })
      }}
    >
      {(problem) => (
        <>
          <TextInput
            label={strings.name}
            description={strings.signing.nameHelp}
            value={name}
            maxLength={100}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            data-autofocus
          />
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
        </>
      )}
    </QuickForm>
  )
}
