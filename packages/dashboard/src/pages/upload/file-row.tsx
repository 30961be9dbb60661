import { ActionIcon, Anchor, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../data/session.js'
import type { UploadItem } from '../../data/upload-list.js'
import { Icon } from '../../ui/icons.js'
import { bytes, clock } from '../../ui/numbers.js'
import { explain } from '../../ui/states.js'
import { cancel, goOn, pause } from './send-files.js'
import { strings } from './strings.js'

const percentOf = ({ sent, size }: UploadItem) => (size === 0 ? 100 : Math.floor((sent / size) * 100))

/** How far it is, how fast, and how long it takes. */
function told(item: UploadItem): string {
  const { state, size, sent, speed } = item
  if (state !== 'sending') return `${strings.states[state]} · ${bytes(size)}`
  const rest = speed > 0 ? [strings.perSecond(bytes(speed)), strings.left(clock((size - sent) / speed))] : []
  return [`${percentOf(item)} %`, `${bytes(sent)} / ${bytes(size)}`, ...rest].join(' · ')
}

export function FileRow({ item }: { readonly item: UploadItem }) {
  const { channel } = useSession()
  const isHere = item.channel._id === channel._id
  const { id, name, state, problem, videoId } = item
  return (
    <Paper withBorder p="sm" component="li">
      <Stack gap={6}>
        <Group justify="space-between" wrap="nowrap">
          <Text fw={500} truncate>
            {name}
          </Text>
          <Group gap={4} wrap="nowrap">
            {videoId && isHere && (
              <Anchor
                component={Link}
                to={`/videos/${videoId}`}
                size="sm"
                aria-label={`${state === 'done' ? strings.open : strings.describe}: ${name}`}
              >
                {state === 'done' ? strings.open : strings.describe}
              </Anchor>
            )}
            {state === 'sending' && videoId && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={strings.pause(name)}
                onClick={() => void pause(id)}
              >
                <Icon name="pause" />
              </ActionIcon>
            )}
            {(state === 'paused' || state === 'failed') && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={strings.goOn(name)}
                onClick={() => goOn(id)}
              >
                <Icon name="play" />
              </ActionIcon>
            )}
            {state !== 'done' && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={strings.cancel(name)}
                onClick={() => void cancel(id)}
              >
                <Icon name="close" />
              </ActionIcon>
            )}
          </Group>
        </Group>
        <Progress
          value={percentOf(item)}
          color={state === 'failed' ? 'red' : state === 'done' ? 'teal' : undefined}
          aria-label={name}
        />
        <Text size="sm" c="dimmed" role="status">
          {[told(item), ...(isHere ? [] : [strings.elsewhere(item.channel.name)])].join(' · ')}
        </Text>
        {state === 'failed' && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {explain(problem).about}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}
