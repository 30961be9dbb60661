import { Button, Group, Menu, Paper, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { catalog } from '@zoetrope/contract'
import { subtitleWords } from '@zoetrope/contract/words/subtitles'
import type { CallOptions } from '@zoetrope/sdk'
import type { Entry, Video } from '../../../data/records.js'
import { useSession } from '../../../data/session.js'
import { Badges } from '../../../ui/badges.js'
import { Icon } from '../../../ui/icons.js'
import { languageOf } from '../../../ui/languages.js'
import { sayFailed } from '../../../ui/notices.js'
import { ResourceForm } from '../../../ui/resource-form/resource-form.js'
import { useUndoable } from '../../../ui/use-undoable.js'
import { TrackMenu } from '../tracks/track-menu.js'
import { saveText } from './save-text.js'
import { strings } from './strings.js'

type Subtitle = Entry<'subtitles'>

const fields = [{ fields: ['file', 'language', 'title', 'default', 'forced', 'active'] as const }]
const failed = (error: unknown) => sayFailed(strings.failed, error)

interface SubtitleRowProps {
  readonly video: Video
  readonly subtitle: Subtitle
  renew(): void
}

/** A subtitle of the video: its name, its lines, its files, and more actions. */
export function SubtitleRow({ video, subtitle, renew }: SubtitleRowProps) {
  const { mayEdit } = useSession()
  const { _id, title, language } = subtitle
  const name = languageOf(language)
  const badges = [
    ...(subtitle.default ? [strings.default] : []),
    ...(subtitle.forced ? [strings.forced] : []),
    ...(subtitle.active ? [] : [strings.hidden]),
  ]
  return (
    <Paper withBorder p="sm" component="section" aria-label={title}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs" flex="1 1 12rem">
          <Text fw={500}>{title}</Text>
          <Text c="dimmed">
            {[name?.native === title ? '' : name?.native, language].filter(Boolean).join(' · ')}
          </Text>
          <Badges words={badges} />
        </Group>
        <Group gap="xs" wrap="nowrap">
          <Button
            variant="default"
            size="xs"
            aria-label={mayEdit ? strings.editOf(title) : strings.viewOf(title)}
            leftSection={<Icon name={mayEdit ? 'edit' : 'eye'} size={14} />}
            renderRoot={(props) => <Link to={`/videos/${video._id}/subtitles/${_id}`} {...props} />}
          >
            {mayEdit ? strings.edit : strings.view}
          </Button>
          <Downloads video={video} subtitle={subtitle} />
          {mayEdit && <More subtitle={subtitle} renew={renew} />}
        </Group>
      </Group>
    </Paper>
  )
}

function Downloads({ video, subtitle }: Omit<SubtitleRowProps, 'renew'>) {
  const { client } = useSession()
  const { _id, language, title, forced } = subtitle
  const save = async (format: 'srt' | 'vtt') => {
    const text = await client.subtitles.download(video._id, _id, { format })
    saveText(text, `${video.friendly_title}.${language}${forced ? '.forced' : ''}.${format}`)
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          aria-label={strings.downloadOf(title)}
          rightSection={<Icon name="down" size={14} />}
        >
          {strings.download}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void save('srt').catch(failed)}>{strings.asSrt}</Menu.Item>
        <Menu.Item onClick={() => void save('vtt').catch(failed)}>{strings.asVtt}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** More actions on a subtitle. */
function More({ subtitle, renew }: Omit<SubtitleRowProps, 'video'>) {
  const { client } = useSession()
  const report = useUndoable()
  const { _id, video_id, title } = subtitle
  const change = (changes: Parameters<typeof client.subtitles.update>[2], options?: CallOptions) =>
    client.subtitles.update(video_id, _id, changes, options)
  const remove = async () => {
    await report(strings.deleted, (options) => client.subtitles.remove(video_id, _id, options))
    renew()
  }
  return (
    <TrackMenu
      name={title}
      track={subtitle}
      words={{
        ...strings.menu,
        default: subtitle.default ? strings.notDefault : strings.makeDefault,
      }}
      change={change}
      renew={renew}
      form={(onSaved) => (
        <ResourceForm
          resource={catalog.subtitles}
          words={subtitleWords}
          record={subtitle}
          read={(options) => client.subtitles.get(video_id, _id, options)}
          groups={fields}
          save={change}
          onSaved={onSaved}
        />
      )}
      onDelete={() => void remove().catch(failed)}
    >
      <Menu.Item
        leftSection={<Icon name="external" />}
        component="a"
        href={subtitle.url}
        target="_blank"
        rel="noreferrer"
      >
        {strings.file}
      </Menu.Item>
    </TrackMenu>
  )
}
