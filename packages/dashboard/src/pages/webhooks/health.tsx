import { Alert, Stack, Text } from '@mantine/core'
import { keyOf } from '../../data/keys.js'
import type { Entry } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { ActionButton } from '../../ui/action-button.js'
import { Icon } from '../../ui/icons.js'
import { sayDone, sayFailed } from '../../ui/notices.js'
import { dateAndTime } from '../../ui/numbers.js'
import { strings } from './strings.js'

/** Failures begin later than the events that they are about. */
const dayMs = 86_400_000

/** Says that a webhook was switched off or fails, and what to do. */
export function Health({ webhook }: { readonly webhook: Entry<'webhooks'> }) {
  const { client } = useSession()
  const { _id, active, switched_off_reason, failing_since } = webhook
  const resume = async () => {
    await client.webhooks.update(_id, { active: true })
    const since = new Date(failing_since ?? webhook.updated_at).getTime()
    await client.webhooks.replay(_id, { from: new Date(since - dayMs), failed_only: true }).then(
      () => sayDone(strings.resumed),
      (error) => sayFailed(strings.notSentAgain, error),
    )
  }
  if (!active && switched_off_reason)
    return (
      <Alert color="red" variant="light" title={strings.off} role="alert">
        <Stack align="flex-start" gap="sm">
          <Text size="sm">{switched_off_reason}</Text>
          <ActionButton
            icon="again"
            run={resume}
            failed={strings.notResumed}
            stale={[keyOf('webhooks'), keyOf('webhook_deliveries')]}
          >
            {strings.resume}
          </ActionButton>
        </Stack>
      </Alert>
    )
  if (!active || !failing_since) return null
  return (
    <Alert color="yellow" variant="light" role="status" icon={<Icon name="warning" />}>
      <Text size="sm" fw={600}>
        {strings.failing}
      </Text>
      <Text size="sm">{strings.failingAbout(dateAndTime(failing_since))}</Text>
    </Alert>
  )
}
