import { ActionIcon, Anchor, Button, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { cancel, goOn, pause } from '../../data/send-files.js'
import { useSession } from '../../data/session.js'
import { percentSent, type UploadItem } from '../../data/upload-list.js'
import { uploadSearch } from '../../ui/define-search.js'
import { Icon } from '../../ui/icons.js'
import { bytes, clock } from '../../ui/numbers.js'
import { SameFile } from '../../ui/same-file/same-file.js'
import { explain } from '../../ui/states.js'
import { stateOf } from '../../ui/video-state.js'
import type { Followed, Outcome } from './outcome.js'
import { strings } from './strings.js'

const outcomeWords: Readonly<Record<Outcome, string>> = {
  unknown: strings.states.done,
  making: strings.making,
  playable: strings.playable,
  failed: strings.notPlayable,
  gone: strings.gone,
  replaced: strings.replaced,
}

/** The progress, speed and remaining time of an upload, or what has become of its film. */
function told(item: UploadItem, outcome: Outcome, video: Followed | undefined): string {
  const { state, size, sent, speed, isStalled } = item
  if (state === 'done')
    return [
      outcomeWords[outcome],
      ...(video && outcome === 'playable' ? [stateOf(video).words] : []),
      // What it waits for.
      ...(video?.status_reason && outcome === 'making' ? [video.status_reason] : []),
      bytes(size),
    ].join(' · ')
  if (state !== 'sending') return `${strings.states[state]} · ${bytes(size)}`
  if (isStalled) return [strings.sent(percentSent(item)), strings.waitingForServer].join(' · ')
  const rest = speed > 0 ? [strings.perSecond(bytes(speed)), strings.left(clock((size - sent) / speed))] : []
  return [strings.sent(percentSent(item)), `${bytes(sent)} / ${bytes(size)}`, ...rest].join(' · ')
}

interface FileRowProps {
  readonly item: UploadItem
  /** The video on the server, once the upload has finished. */
  readonly video: Followed | undefined
  readonly outcome: Outcome
}

export function FileRow({ item, video, outcome }: FileRowProps) {
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
          value={percentSent(item)}
          color={colorOf(state, outcome)}
          animated={state === 'done' && outcome === 'making'}
          aria-label={name}
        />
        <Text size="sm" c="dimmed" role="status">
          {[told(item, outcome, video), ...(isHere ? [] : [strings.elsewhere(item.channel.name)])].join(
            ' · ',
          )}
        </Text>
        <SameFile videoId={sentTo(item, outcome, channel._id)} />
        {state === 'failed' && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {explain(problem).about}
          </Text>
        )}
        {state === 'done' && outcome === 'failed' && (
          <Group justify="space-between" gap="xs">
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {[video?.status_reason, strings.whatToDo].filter(Boolean).join(' ')}
            </Text>
            {videoId && isHere && (
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<Icon name="upload" size={14} />}
                aria-label={strings.replaceOf(name)}
                renderRoot={(props) => (
                  <Link to="/upload" search={uploadSearch.to({ video_id: videoId })} {...props} />
                )}
              >
                {strings.replace}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </Paper>
  )
}

/** The video that has the file now, if it is in this channel. */
const sentTo = ({ state, videoId, channel }: UploadItem, outcome: Outcome, channelId: string) =>
  state === 'done' && outcome !== 'gone' && channel._id === channelId ? videoId : undefined

function colorOf(state: UploadItem['state'], outcome: Outcome): string | undefined {
  if (state === 'failed' || (state === 'done' && outcome === 'failed')) return 'red'
  return state === 'done' && outcome === 'playable' ? 'teal' : undefined
}
