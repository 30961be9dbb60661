import { catalog } from '@zoetrope/contract'
import { audioTrackWords } from '@zoetrope/contract/words/audio-tracks'
import type { CallOptions } from '@zoetrope/sdk'
import { useState } from 'react'
import type { Entry } from '../../../data/records.js'
import { useSession } from '../../../data/session.js'
import { Dialog, QuickForm } from '../../../ui/form-dialog.js'
import { sayDone } from '../../../ui/notices.js'
import { ResourceForm } from '../../../ui/resource-form/resource-form.js'
import { TrackMenu } from '../tracks/track-menu.js'
import { nameOf } from './name-of.js'
import { strings } from './strings.js'

const fields = [{ fields: ['language', 'title', 'kind', 'default', 'active'] as const }]

interface TrackActionsProps {
  readonly track: Entry<'audio_tracks'>
  renew(): void
}

/** What can be done with an audio track. Those of the film cannot be deleted, only hidden. */
export function TrackActions({ track, renew }: TrackActionsProps) {
  const { client } = useSession()
  const [isDeleting, setIsDeleting] = useState(false)
  const { _id, video_id } = track
  const name = nameOf(track)
  const change = (changes: Parameters<typeof client.audio_tracks.update>[2], options?: CallOptions) =>
    client.audio_tracks.update(video_id, _id, changes, options)
  const canBeDefault = !track.default && track.active
  return (
    <>
      <TrackMenu
        name={name}
        track={track}
        words={{ ...strings.menu, default: canBeDefault ? strings.makeDefault : undefined }}
        change={change}
        renew={renew}
        form={(onSaved) => (
          <ResourceForm
            resource={catalog.audio_tracks}
            words={audioTrackWords}
            record={track}
            read={(options) => client.audio_tracks.get(video_id, _id, options)}
            groups={fields}
            save={change}
            onSaved={onSaved}
          />
        )}
        onDelete={track.origin === 'upload' ? () => setIsDeleting(true) : undefined}
      />
      <Dialog title={strings.delete} isOpen={isDeleting} onClose={() => setIsDeleting(false)}>
        <QuickForm
          about={strings.confirm(name)}
          label={strings.delete}
          send={() => client.audio_tracks.remove(video_id, _id)}
          onSent={() => {
            setIsDeleting(false)
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
