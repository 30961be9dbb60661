import { Button, Checkbox, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import type { Entry } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { ActionButton } from '../../ui/action-button.js'
import { Copyable } from '../../ui/copyable.js'
import { DialogButton, QuickForm } from '../../ui/form-dialog.js'
import { sayDone } from '../../ui/notices.js'
import { strings } from './strings.js'

interface WebhookProps {
  readonly webhook: Entry<'webhooks'>
}

/** Tries the webhook, sends events again, replaces its secret. */
export function Actions({ webhook }: WebhookProps) {
  const { client } = useSession()
  return (
    <>
      <ActionButton
        icon="play"
        run={() => client.webhooks.test(webhook._id)}
        done={strings.tested}
        failed={strings.notTested}
        stale={[keyOf('webhook_deliveries')]}
      >
        {strings.test}
      </ActionButton>
      <DialogButton label={strings.replay} icon="again" title={strings.replayTitle}>
        {(close) => <ReplayForm webhook={webhook} onDone={close} />}
      </DialogButton>
      <DialogButton label={strings.rotate} icon="key" title={strings.rotateTitle}>
        {(close) => <RotateForm webhook={webhook} onDone={close} />}
      </DialogButton>
    </>
  )
}

const hourMs = 3_600_000

function ReplayForm({ webhook, onDone }: WebhookProps & { onDone(): void }) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [hours, setHours] = useState('24')
  const [isFailedOnly, setIsFailedOnly] = useState(true)
  return (
    <QuickForm
      label={strings.replayStart}
      send={() =>
        client.webhooks.replay(webhook._id, {
          from: new Date(Date.now() - Number(hours) * hourMs),
          failed_only: isFailedOnly,
        })
      }
      onSent={async () => {
        sayDone(strings.replayed)
        onDone()
        await queries.invalidateQueries({ queryKey: keyOf('webhook_deliveries') })
      }}
    >
      {(problem) => (
        <>
          <NativeSelect
            label={strings.replayFrom}
            description={strings.replayAbout}
            value={hours}
            data={Object.entries(strings.ranges).map(([value, label]) => ({ value, label }))}
            onChange={(event) => setHours(event.currentTarget.value)}
            error={problem}
            data-autofocus
          />
          <Checkbox
            label={strings.failedOnly}
            checked={isFailedOnly}
            onChange={(event) => setIsFailedOnly(event.currentTarget.checked)}
          />
        </>
      )}
    </QuickForm>
  )
}

function RotateForm({ webhook, onDone }: WebhookProps & { onDone(): void }) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined)
    return (
      <Stack>
        <Text>{strings.secretOnce}</Text>
        <Copyable label={strings.secret} text={secret} />
        <Group justify="flex-end">
          <Button onClick={onDone} data-autofocus>
            {strings.done}
          </Button>
        </Group>
      </Stack>
    )
  return (
    <QuickForm
      label={strings.rotate}
      send={() => client.webhooks.rotateSecret(webhook._id)}
      onSent={async (rotated) => {
        setSecret(rotated.secret ?? '')
        await queries.invalidateQueries({ queryKey: keyOf('webhooks') })
      }}
    >
      {(problem) => (
        <>
          <Text>{strings.rotateAbout}</Text>
          {problem && (
            <Text c="red" role="alert">
              {problem}
            </Text>
          )}
        </>
      )}
    </QuickForm>
  )
}
