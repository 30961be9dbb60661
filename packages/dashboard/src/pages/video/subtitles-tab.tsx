import { ActionIcon, Anchor, Badge, Button, Group, Modal, Paper, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { catalog } from '@zoetrope/contract'
import { useSession } from '../../data/session.js'
import { Icon } from '../../ui/icons.js'
import { sayDone, sayFailed } from '../../ui/notices.js'
import { ResourceForm } from '../../ui/resource-form/resource-form.js'
import { Empty, Loaded } from '../../ui/states.js'
import { strings } from './strings.js'
import type { TabProps } from './tabs.js'

const fields = [{ fields: ['file', 'language', 'title', 'default', 'forced', 'active'] }]

/** The subtitles of a video. */
export function SubtitlesTab({ video }: TabProps) {
  const { client, channel, mayEdit } = useSession()
  const queries = useQueryClient()
  const [isAdding, { open, close }] = useDisclosure()
  const queryKey = ['subtitles', channel._id, video._id]
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.subtitles.list(video._id, { active: 'all' }, { signal }),
  })
  const renew = () => queries.invalidateQueries({ queryKey })
  const remove = (id: string, title: string) =>
    client.subtitles
      .remove(video._id, id)
      .then(renew)
      .then(() => sayDone(strings.subtitles.deleted))
      .catch((error) => sayFailed(strings.subtitles.delete(title), error))
  const add = mayEdit && (
    <Button variant="default" leftSection={<Icon name="plus" />} onClick={open}>
      {strings.subtitles.add}
    </Button>
  )
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed">{strings.subtitles.about}</Text>
        {(list.data?.response.length ?? 0) > 0 && add}
      </Group>
      <Loaded query={list}>
        {({ response }) =>
          response.length === 0 ? (
            <Empty icon="text" title={strings.subtitles.empty} about={strings.subtitles.emptyAbout}>
              {add}
            </Empty>
          ) : (
            response.map((one) => (
              <Paper key={one._id} withBorder p="sm">
                <Group justify="space-between" wrap="nowrap">
                  <Group gap="xs">
                    <Anchor
                      href={one.url}
                      target="_blank"
                      rel="noreferrer"
                      aria-label={strings.subtitles.open(one.title)}
                    >
                      {one.title}
                    </Anchor>
                    <Text c="dimmed">{one.language}</Text>
                    {one.default && (
                      <Badge variant="default" tt="none" fw={500}>
                        {strings.subtitles.default}
                      </Badge>
                    )}
                    {!one.active && (
                      <Badge variant="default" tt="none" fw={500}>
                        {strings.subtitles.hidden}
                      </Badge>
                    )}
                  </Group>
                  {mayEdit && (
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={strings.subtitles.delete(one.title)}
                      onClick={() => void remove(one._id, one.title)}
                    >
                      <Icon name="trash" />
                    </ActionIcon>
                  )}
                </Group>
              </Paper>
            ))
          )
        }
      </Loaded>
      <Modal opened={isAdding} onClose={close} title={strings.subtitles.add} size="lg">
        <ResourceForm
          resource={catalog.subtitles}
          groups={fields}
          save={(changes) => client.subtitles.create(video._id, changes as never)}
          onSaved={() => {
            close()
            void renew()
          }}
          onCancel={close}
        />
      </Modal>
    </Stack>
  )
}
