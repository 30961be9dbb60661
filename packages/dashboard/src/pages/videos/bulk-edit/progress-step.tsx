import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { strings } from './strings.js'
import type { Apply } from './use-apply.js'

interface ProgressStepProps {
  readonly apply: Apply
  readonly label: string
}

/** How many videos are done. */
export const ProgressStep = ({ apply: { state, progress, stop }, label }: ProgressStepProps) => (
  <Stack>
    <Text role="status">{strings.working(progress.done, progress.all)}</Text>
    <Progress value={(100 * progress.done) / Math.max(1, progress.all)} aria-label={label} />
    {state !== 'undoing' && (
      <Group justify="flex-end">
        <Button variant="default" onClick={stop}>
          {strings.stop}
        </Button>
      </Group>
    )}
  </Stack>
)
