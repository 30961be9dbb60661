import { Button, Group, ScrollArea, Stack, Text } from '@mantine/core'
import { catalog, type Field } from '@zoetrope/contract'
import { videoWords } from '@zoetrope/contract/words/videos'
import type { Video } from '../../../data/records.js'
import { Difference } from '../../../ui/difference/difference.js'
import { FailedVideos } from './failed-videos.js'
import { ProgressStep } from './progress-step.js'
import { strings } from './strings.js'
import type { Apply } from './use-apply.js'

const shownAtOnce = 50
const fields: Readonly<Record<string, Field>> = catalog.videos.fields

interface PreviewProps {
  readonly apply: Apply
  /** How many videos were chosen. */
  readonly count: number
  onBack(): void
  onApply(videos: readonly Video[]): void
}

/** What the API says that the edits will change, and for which videos they will fail. */
export function PreviewStep({ apply, count, onBack, onApply }: PreviewProps) {
  const { state, changes, failures } = apply
  if (state !== 'tried') return <ProgressStep apply={apply} label={strings.trying} />
  return (
    <Stack>
      <Text role="status">
        {changes.length === 0
          ? failures.length === 0 && strings.nothing
          : strings.willChange(changes.length, count)}{' '}
        {changes.length > shownAtOnce && strings.shownFirst(shownAtOnce)}
      </Text>
      <FailedVideos title={strings.cannot(failures.length)} failures={failures} />
      {changes.length > 0 && (
        <ScrollArea.Autosize
          mah="50vh"
          viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': strings.list }}
        >
          <Stack gap="sm">
            {changes.slice(0, shownAtOnce).map(({ item, previous, values }) => (
              <div key={item._id}>
                <Text size="sm" fw={600}>
                  {item.title}
                </Text>
                {Object.keys(previous).map((name) => (
                  <Difference
                    key={name}
                    name={name}
                    field={fields[name]}
                    words={videoWords}
                    before={previous[name]}
                    after={values[name]}
                  />
                ))}
              </div>
            ))}
          </Stack>
        </ScrollArea.Autosize>
      )}
      <Group justify="space-between">
        <Button variant="default" onClick={onBack}>
          {strings.back}
        </Button>
        <Button
          disabled={changes.length === 0}
          onClick={() => onApply(changes.map(({ item }) => item))}
          data-autofocus
        >
          {strings.apply(changes.length)}
        </Button>
      </Group>
    </Stack>
  )
}
