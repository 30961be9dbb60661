import { ActionIcon, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { useUploads } from '../../data/upload-list.js'
import { Icon } from '../../ui/icons.js'
import { sayFailed } from '../../ui/notices.js'
import { PlainList } from '../../ui/plain-list.js'
import { strings } from './strings.js'

/** Uploads that were interrupted by a reload, or begun on another machine. */
export function Interrupted() {
  const { client, channel } = useSession()
  const queries = useQueryClient()
  const sending = useUploads()
  const queryKey = keyOf('uploads', channel._id, 'list')
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.uploads.list({}, { signal }),
    staleTime: 0,
  })
  const known = new Set(sending.map(({ videoId }) => videoId))
  const left = (data?.response ?? []).filter(({ video_id }) => !known.has(video_id ?? undefined))
  if (left.length === 0) return null
  const forget = (id: string, name: string) =>
    client.uploads
      .remove(id)
      .then(() => queries.invalidateQueries({ queryKey }))
      .catch((error) => sayFailed(strings.forget(name), error))
  return (
    <Stack component="section" gap="sm" aria-label={strings.interrupted}>
      <div>
        <Title order={2} size="h4">
          {strings.interrupted}
        </Title>
        <Text c="dimmed" size="sm">
          {strings.interruptedAbout}
        </Text>
      </div>
      <PlainList>
        {left.map(({ _id, file_name: name, progress }) => {
          return (
            <Paper withBorder p="sm" key={_id} component="li">
              <Group justify="space-between" wrap="nowrap">
                <Text fw={500} truncate>
                  {name}
                </Text>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={strings.forget(name)}
                  onClick={() => void forget(_id, name)}
                >
                  <Icon name="trash" />
                </ActionIcon>
              </Group>
              <Progress value={progress ?? 0} aria-label={name} my={6} />
              <Text size="sm" c="dimmed">
                {strings.arrived(progress ?? 0)}
              </Text>
            </Paper>
          )
        })}
      </PlainList>
    </Stack>
  )
}
