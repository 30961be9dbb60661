import { ActionIcon, Badge, Button, Group, Menu, Paper, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { catalog } from '@zoetrope/contract'
import { subtitleWords } from '@zoetrope/contract/words/subtitles'
import { readText } from '@zoetrope/sdk'
import { useState } from 'react'
import { origin } from '../../../data/api.js'
import { keyOf } from '../../../data/keys.js'
import { nestedCalls } from '../../../data/plain.js'
import { useSession } from '../../../data/session.js'
import { Dialog, DialogButton } from '../../../ui/form-dialog.js'
import { Icon } from '../../../ui/icons.js'
import { offerUndo, sayDone, sayFailed } from '../../../ui/notices.js'
import { ResourceForm } from '../../../ui/resource-form/resource-form.js'
import { Empty, Loaded } from '../../../ui/states.js'
import type { TabProps } from '../tab-props.js'
import { strings } from './strings.js'
import { type Subtitle, SubtitleEditor } from './subtitle-editor.js'

const fields = [{ fields: ['file', 'language', 'title', 'default', 'forced', 'active'] as const }]

/** The subtitles of a video: view, shift, replace, show by default or hide. */
export function SubtitlesTab({ video, player }: TabProps) {
  const { client, channel, mayEdit } = useSession()
  const queries = useQueryClient()
  const [open, setOpen] = useState<string>()
  const queryKey = keyOf('subtitles', channel._id, 'list', video._id)
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.subtitles.list(video._id, { active: 'all', per_page: 100 }, { signal }),
  })
  const renew = () => void queries.invalidateQueries({ queryKey })
  const add = mayEdit && (
    <DialogButton icon="plus" label={strings.add} isWide>
      {(close) => (
        <ResourceForm
          resource={catalog.subtitles}
          words={subtitleWords}
          groups={fields}
          save={(changes) => nestedCalls(client, 'subtitles').create(video._id, changes)}
          onSaved={({ _id }) => {
            close()
            setOpen(_id)
            renew()
          }}
          onCancel={close}
        />
      )}
    </DialogButton>
  )
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed">{strings.about}</Text>
        {(list.data?.response.length ?? 0) > 0 && add}
      </Group>
      <Loaded query={list}>
        {({ response }) =>
          response.length === 0 ? (
            <Empty icon="text" title={strings.empty} about={strings.emptyAbout}>
              {add}
            </Empty>
          ) : (
            response.map((one) => (
              <Paper key={one._id} withBorder p="sm" component="section" aria-label={one.title}>
                <Group justify="space-between" wrap="nowrap">
                  <Names subtitle={one} />
                  <Group gap="xs" wrap="nowrap">
                    <Button
                      variant="default"
                      size="xs"
                      aria-expanded={open === one._id}
                      aria-label={strings.open(one.title)}
                      onClick={() => setOpen(open === one._id ? undefined : one._id)}
                    >
                      {strings.preview}
                    </Button>
                    {mayEdit && <More subtitle={one} renew={renew} />}
                  </Group>
                </Group>
                {open === one._id && <SubtitleEditor subtitle={one} player={player} onChanged={renew} />}
              </Paper>
            ))
          )
        }
      </Loaded>
    </Stack>
  )
}

const Names = ({
  subtitle: { title, language, default: isDefault, active },
}: {
  readonly subtitle: Subtitle
}) => (
  <Group gap="xs">
    <Text fw={500}>{title}</Text>
    <Text c="dimmed">{language}</Text>
    {isDefault && (
      <Badge variant="default" tt="none" fw={500}>
        {strings.default}
      </Badge>
    )}
    {!active && (
      <Badge variant="default" tt="none" fw={500}>
        {strings.hidden}
      </Badge>
    )}
  </Group>
)

interface MoreProps {
  readonly subtitle: Subtitle
  renew(): void
}

/** More actions on a subtitle. */
function More({ subtitle, renew }: MoreProps) {
  const { client, channel } = useSession()
  const [isEditing, setIsEditing] = useState(false)
  const { _id, video_id, title } = subtitle
  const failed = (error: unknown) => sayFailed(strings.failed, error)
  const change = (changes: Partial<Subtitle>) =>
    client.subtitles.update(video_id, _id, changes).then(() => {
      sayDone(strings.changed)
      renew()
    }, failed)
  const remove = async () => {
    // Keeps the text of the deleted subtitle for the undo.
    const text = await readText({ url: origin, channelId: channel._id }, subtitle.url)
    await client.subtitles.remove(video_id, _id)
    renew()
    offerUndo(strings.deleted, () => {
      const { language, default: isDefault, forced, active } = subtitle
      const again = { language, title, default: isDefault, forced, active, file: base64(text) }
      client.subtitles.create(video_id, again).then(renew, failed)
    })
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" aria-label={strings.more(title)}>
            <Icon name="more" size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setIsEditing(true)}>
            {strings.edit}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="check" />}
            onClick={() => void change({ default: !subtitle.default })}
          >
            {subtitle.default ? strings.notDefault : strings.makeDefault}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name={subtitle.active ? 'hidden' : 'eye'} />}
            onClick={() => void change({ active: !subtitle.active })}
          >
            {subtitle.active ? strings.hide : strings.show}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="external" />}
            component="a"
            href={subtitle.url}
            target="_blank"
            rel="noreferrer"
          >
            {strings.file}
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<Icon name="trash" />}
            onClick={() => void remove().catch(failed)}
          >
            {strings.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog title={title} isOpen={isEditing} onClose={() => setIsEditing(false)} isWide>
        <ResourceForm
          resource={catalog.subtitles}
          words={subtitleWords}
          record={subtitle}
          groups={fields}
          save={(changes) => client.subtitles.update(video_id, _id, changes)}
          onSaved={() => {
            setIsEditing(false)
            renew()
          }}
        />
      </Dialog>
    </>
  )
}

const base64 = (text: string) =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
