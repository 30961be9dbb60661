import { Alert, Anchor, Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApiKey } from '@zoetrope/sdk'
import { useState } from 'react'
import { useSession } from '../../data/session.js'
import { useConfirmation } from '../../ui/confirm-password.js'
import { Copyable } from '../../ui/copyable.js'
import { DialogButton } from '../../ui/form-dialog.js'
import { Icon } from '../../ui/icons.js'
import { sayDone, sayFailed } from '../../ui/notices.js'
import { dateAndTime, fromNow } from '../../ui/numbers.js'
import { PageLayout } from '../../ui/page.js'
import { Section } from '../../ui/section.js'
import { Loaded } from '../../ui/states.js'
import { strings } from './strings.js'

/** The keys of the channel: masked until somebody gives their password. */
export function Page() {
  const { publisher, channel, isOwner } = useSession()
  const query = useQuery({
    queryKey: ['keys', channel._id],
    queryFn: () => publisher.keys(),
    enabled: isOwner,
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
      {isOwner ? (
        <Loaded query={query}>
          {(keys) => (
            <Stack>
              {keys.map((key) => (
                <KeyCard key={key.kind} entry={key} />
              ))}
            </Stack>
          )}
        </Loaded>
      ) : (
        <Alert variant="light">{strings.ownersOnly}</Alert>
      )}
    </PageLayout>
  )
}

function KeyCard({ entry }: { readonly entry: ApiKey }) {
  const { publisher } = useSession()
  const { dialog, run } = useConfirmation()
  const [shown, setShown] = useState<string>()
  const { title, about } = strings.kinds[entry.kind]
  const revealing = useMutation({
    mutationFn: () => run(() => publisher.revealKey(entry.kind)),
    onSuccess: ({ key }) => setShown(key),
    onError: (error) => sayFailed(strings.notRevealed, error),
  })
  return (
    <Section title={title} about={about}>
      <Copyable label={title} text={shown ?? entry.masked} isMasked={shown === undefined} />
      <Group justify="space-between" mt="sm">
        <Text size="sm" c="dimmed">
          {[
            entry.last_used_at ? strings.lastUsed(fromNow(entry.last_used_at)) : strings.neverUsed,
            strings.made(fromNow(entry.created_at)),
            ...(entry.previous_until ? [strings.previous(dateAndTime(entry.previous_until))] : []),
          ].join(' · ')}
        </Text>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<Icon name="eye" />}
            aria-label={`${strings.reveal}: ${title}`}
            loading={revealing.isPending && !shown}
            disabled={shown !== undefined}
            onClick={() => revealing.mutate()}
          >
            {strings.reveal}
          </Button>
          <Rotate entry={entry} title={title} run={run} onNew={setShown} />
        </Group>
      </Group>
      {dialog}
    </Section>
  )
}

interface RotateProps {
  readonly entry: ApiKey
  readonly title: string
  run<T>(action: () => Promise<T>): Promise<T>
  onNew(key: string): void
}

function Rotate({ entry, title, run, onNew }: RotateProps) {
  const { publisher } = useSession()
  const queries = useQueryClient()
  const [hours, setHours] = useState('24')
  const rotating = useMutation({
    mutationFn: () => run(() => publisher.rotateKey(entry.kind, Number(hours))),
    onSuccess: async ({ key }) => {
      onNew(key)
      sayDone(strings.rotated)
      await queries.invalidateQueries({ queryKey: ['keys'] })
    },
    onError: (error) => sayFailed(strings.notRotated, error),
  })
  return (
    <DialogButton
      label={strings.rotate}
      icon="again"
      aria-label={`${strings.rotate}: ${title}`}
      loading={rotating.isPending}
      title={strings.rotateTitle(title)}
    >
      {(close) => (
        <Stack>
          <Text>{strings.rotateAbout}</Text>
          <NativeSelect
            label={strings.overlap}
            value={hours}
            data={Object.entries(strings.overlaps).map(([value, label]) => ({ value, label }))}
            onChange={(event) => setHours(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {strings.cancel}
            </Button>
            <Button
              onClick={() => {
                close()
                rotating.mutate()
              }}
            >
              {strings.rotate}
            </Button>
          </Group>
        </Stack>
      )}
    </DialogButton>
  )
}
