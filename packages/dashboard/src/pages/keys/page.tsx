import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ApiKey } from '@zoetrope/sdk'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { Copyable } from '../../ui/copyable.js'
import { dateAndTime, fromNow } from '../../ui/numbers.js'
import { PageLayout } from '../../ui/page.js'
import { SecretActions } from '../../ui/secret-actions.js'
import { Section } from '../../ui/section.js'
import { Loaded } from '../../ui/states.js'
import { useNow } from '../../ui/use-now.js'
import { NamedKeys } from './named-keys.js'
import { SigningKeys } from './signing-keys.js'
import { strings } from './strings.js'

/** Named keys, and the keys of the channel, masked until the user confirms the password. */
export function Page() {
  const { publisher, channel } = useSession()
  const query = useQuery({
    queryKey: keyOf('keys', channel._id),
    queryFn: () => publisher.keys(),
  })
  return (
    <PageLayout
      title={strings.title}
      about={strings.about}
      maw="52rem"
      actions={
        <Anchor href="/docs" target="_blank">
          {strings.reference}
        </Anchor>
      }
    >
      <NamedKeys />
      <SigningKeys />
      <Title order={2} size="h4">
        {strings.ofChannel}
      </Title>
      <Loaded query={query}>
        {(keys) => (
          <Stack>
            {keys.map((key) => (
              <KeyCard key={key.kind} entry={key} />
            ))}
          </Stack>
        )}
      </Loaded>
    </PageLayout>
  )
}

function KeyCard({ entry }: { readonly entry: ApiKey }) {
  const { publisher } = useSession()
  const now = useNow()
  const [shown, setShown] = useState<string>()
  const { title, about } = strings.kinds[entry.kind]
  return (
    <Section title={title} about={about}>
      <Copyable label={title} text={shown ?? entry.masked} isMasked={shown === undefined} />
      <Group justify="space-between" mt="sm">
        <Text size="sm" c="dimmed">
          {[
            entry.last_used_at ? strings.lastUsed(fromNow(entry.last_used_at, now)) : strings.neverUsed,
            strings.made(fromNow(entry.created_at, now)),
            ...(entry.previous_until ? [strings.previous(dateAndTime(entry.previous_until))] : []),
          ].join(' · ')}
        </Text>
        <SecretActions
          name={title}
          about={strings.replaceAbout}
          isShown={shown !== undefined}
          reveal={() => publisher.revealKey(entry.kind)}
          replace={(hours) => publisher.rotateKey(entry.kind, hours)}
          onShown={({ key }) => setShown(key)}
          stale={keyOf('keys')}
        />
      </Group>
    </Section>
  )
}
