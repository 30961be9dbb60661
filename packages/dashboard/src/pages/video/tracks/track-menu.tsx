import { Menu } from '@mantine/core'
import type { CallOptions } from '@zoetrope/sdk'
import { type ReactNode, useState } from 'react'
import { Dialog } from '../../../ui/form-dialog.js'
import { Icon } from '../../../ui/icons.js'
import { DeleteItem, MoreMenu } from '../../../ui/more-menu.js'
import { sayFailed } from '../../../ui/notices.js'
import { useUndoable } from '../../../ui/use-undoable.js'
import { strings } from './strings.js'

interface TrackSwitches {
  readonly default: boolean
  readonly active: boolean
}

interface TrackMenuProps {
  readonly name: string
  readonly track: TrackSwitches
  readonly words: {
    readonly edit: string
    /** Makes it the default, or stops that. Absent if it cannot change that. */
    readonly default?: string | undefined
    readonly changed: string
  }
  change(changes: Partial<TrackSwitches>, options: CallOptions): Promise<unknown>
  /** Fetches the tracks again. */
  renew(): void
  /** The form with all its fields. */
  readonly form: (onSaved: () => void) => ReactNode
  /** More items. */
  readonly children?: ReactNode
  /** Absent if it cannot be deleted. */
  readonly onDelete?: (() => void) | undefined
}

/** The actions on an audio track or on subtitles of a video. */
export function TrackMenu(props: TrackMenuProps) {
  const { name, track, words, change, renew, form, children, onDelete } = props
  const report = useUndoable()
  const [isEditing, setIsEditing] = useState(false)
  const set = (changes: Partial<TrackSwitches>) =>
    void report(words.changed, (options) => change(changes, options), 'saved').then(renew, (error: unknown) =>
      sayFailed(strings.failed, error),
    )
  const close = () => setIsEditing(false)
  return (
    <>
      <MoreMenu label={strings.more(name)}>
        <Menu.Item leftSection={<Icon name="settings" />} onClick={() => setIsEditing(true)}>
          {words.edit}
        </Menu.Item>
        {words.default && (
          <Menu.Item leftSection={<Icon name="check" />} onClick={() => set({ default: !track.default })}>
            {words.default}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<Icon name={track.active ? 'hidden' : 'eye'} />}
          onClick={() => set({ active: !track.active })}
        >
          {track.active ? strings.hide : strings.show}
        </Menu.Item>
        {children}
        {onDelete && <DeleteItem onClick={onDelete}>{strings.delete}</DeleteItem>}
      </MoreMenu>
      <Dialog title={name} isOpen={isEditing} onClose={close} isWide>
        {form(() => {
          close()
          renew()
        })}
      </Dialog>
    </>
  )
}
