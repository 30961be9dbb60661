import { Alert, Button, Group, List, Progress, Stack, Text } from '@mantine/core'
import { Icon } from '../../../ui/icons.js'
import { explain } from '../../../ui/states.js'
import { strings } from './strings.js'
import type { Apply } from './use-apply.js'

interface ResultProps {
  readonly apply: Apply
  onClose(): void
}

const shownAtOnce = 100

/** Shows the progress, then the result. */
export function ResultStep({ apply, onClose }: ResultProps) {
  const { state, progress, changed, failures, left } = apply
  if (state === 'changing' || state === 'undoing')
    return (
      <Stack>
        <Text role="status">{strings.working(progress.done, progress.all)}</Text>
        <Progress
          value={(100 * progress.done) / Math.max(1, progress.all)}
          aria-label={strings.title(progress.all)}
        />
        {state === 'changing' && (
          <Group justify="flex-end">
            <Button variant="default" onClick={apply.stop}>
              {strings.stop}
            </Button>
          </Group>
        )}
      </Stack>
    )
  return (
    <Stack>
      <Text role="status">
        {state === 'undone' ? strings.undone(changed.length) : strings.done(changed.length)}{' '}
        {left > 0 && strings.stopped(left)}
      </Text>
      {failures.length > 0 && (
        <Alert
          color="red"
          variant="light"
          title={strings.failed(failures.length)}
          icon={<Icon name="warning" />}
        >
          <List size="sm">
            {failures.slice(0, shownAtOnce).map(({ item, error }) => (
              <List.Item key={item._id}>
                {item.title}: {explain(error).about}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Group justify="flex-end">
        {state === 'changed' && failures.length > 0 && (
          <Button variant="default" onClick={() => void apply.run(failures.map(({ item }) => item))}>
            {strings.again}
          </Button>
        )}
        {state === 'changed' && changed.length > 0 && (
          <Button
            variant="default"
            leftSection={<Icon name="undo" size={16} />}
            onClick={() => void apply.undo()}
          >
            {strings.undo}
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          {strings.close}
        </Button>
      </Group>
    </Stack>
  )
}
