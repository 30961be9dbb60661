import { ActionIcon, Menu } from '@mantine/core'
import { catalog } from '@zoetrope/contract'
import { audioTrackWords } from '@zoetrope/contract/words/audio-tracks'
import { useState } from 'react'
import type { Entry } from '../../../data/records.js'
import { useSession } from '../../../data/session.js'
import { Dialog, QuickForm } from '../../../ui/form-dialog.js'
import { Icon } from '../../../ui/icons.js'
import { sayDone, sayFailed } from '../../../ui/notices.js'
import { ResourceForm } from '../../../ui/resource-form/resource-form.js'
import { nameOf } from './name-of.js'
import { strings } from './strings.js'

type Track = Entry<'audio_tracks'>

const fields = [{ fields: ['language', 'title', 'kind', 'default', 'active'] as const }]

interface TrackActionsProps {
  readonly track: Track
  renew(): void
}

/** What can be done with an audio track. Those of the film cannot be deleted, only hidden. */
export function TrackActions({ track, renew }: TrackActionsProps) {
  const { client } = useSession()
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const { _id, video_id } = track
  const name = nameOf(track)
  const close = () => setOpen(undefined)
  const change = (changes: Partial<Pick<Track, 'default' | 'active'>>) =>
    client.audio_tracks.update(video_id, _id, changes).then(
      () => {
        sayDone(strings.changed)
        renew()
      },
      (error: unknown) => sayFailed(strings.failed, error),
    )
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" aria-label={strings.more(name)}>
            <Icon name="more" size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setOpen('edit')}>
            {strings.edit}
          </Menu.Item>
          {!track.default && track.active && (
            <Menu.Item leftSection={<Icon name="check" />} onClick={() => void change({ default: true })}>
              {strings.makeDefault}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<Icon name={track.active ? 'hidden' : 'eye'} />}
            onClick={() => void change({ active: !track.active })}
          >
            {track.active ? strings.hide : strings.show}
          </Menu.Item>
          {track.origin === 'upload' && (
            <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => setOpen('delete')}>
              {strings.delete}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Dialog title={name} isOpen={open === 'edit'} onClose={close} isWide>
        <ResourceForm
          resource={catalog.audio_tracks}
          words={audioTrackWords}
          record={track}
          groups={fields}
          save={(changes) => client.audio_tracks.update(video_id, _id, changes)}
          onSaved={() => {
            close()
            renew()
          }}
        />
      </Dialog>
      <Dialog title={strings.delete} isOpen={open === 'delete'} onClose={close}>
        <QuickForm
          about={strings.confirm(name)}
          label={strings.delete}
          send={() => client.audio_tracks.remove(video_id, _id)}
          onSent={() => {
            close()
            sayDone(strings.deleted)
            renew()
          }}
        >
          {(problem) => problem}
        </QuickForm>
      </Dialog>
    </>
  )
}
