import { Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import type { Video } from '../../data/records.js'
import { labelOf } from '../../ui/labels.js'
import { strings } from './strings.js'

/** The encoding progress of each format. */
export function Renditions({ video }: { readonly video: Video }) {
  if (video.renditions.length === 0) return null
  return (
    <Paper withBorder p="md" component="section" aria-label={strings.renditions}>
      <Title order={2} size="h5" mb="sm">
        {strings.renditions}
      </Title>
      <Stack gap="xs">
        {video.renditions.map(({ name, status, progress }) => (
          <div key={name}>
            <Group justify="space-between">
              <Text size="sm">{labelOf(name)}</Text>
              <Text size="sm" c="dimmed">
                {status === 'processing' && progress !== null
                  ? `${progress} %`
                  : (strings.renditionStates[status] ?? labelOf(status))}
              </Text>
            </Group>
            <Progress
              value={status === 'ready' ? 100 : (progress ?? 0)}
              color={status === 'ready' ? 'teal' : status === 'failed' ? 'red' : undefined}
              size="sm"
              aria-label={labelOf(name)}
            />
          </div>
        ))}
      </Stack>
    </Paper>
  )
}
