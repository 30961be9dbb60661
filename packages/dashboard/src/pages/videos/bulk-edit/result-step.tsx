import { Button, Group, Stack, Text } from '@mantine/core'
import { Icon } from '../../../ui/icons.js'
import { FailedVideos } from './failed-videos.js'
import { ProgressStep } from './progress-step.js'
import { strings } from './strings.js'
import type { Apply } from './use-apply.js'

interface ResultProps {
  readonly apply: Apply
  onClose(): void
}

/** Shows the progress, then the result with an undo for all videos. */
export function ResultStep({ apply, onClose }: ResultProps) {
  const { state, progress, changes, failures, left } = apply
  if (state === 'changing' || state === 'undoing')
    return <ProgressStep apply={apply} label={strings.title(progress.all)} />
  return (
    <Stack>
      <Text role="status">
        {state === 'undone' ? strings.undone(changes.length) : strings.done(changes.length)}{' '}
        {left > 0 && strings.stopped(left)}
      </Text>
      <FailedVideos title={strings.failed(failures.length)} failures={failures} />
      <Group justify="flex-end">
        {state === 'changed' && failures.length > 0 && (
          <Button variant="default" onClick={() => void apply.run(failures.map(({ item }) => item))}>
            {strings.again}
          </Button>
        )}
        {state === 'changed' && changes.length > 0 && (
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
