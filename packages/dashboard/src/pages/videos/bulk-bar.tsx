import { Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import type { Video } from '../../data/records.js'
import { Icon, type IconName } from '../../ui/icons.js'
import { DeleteItem, MoreMenu } from '../../ui/more-menu.js'
import { BusyBar, SelectionBar } from '../../ui/selection-bar.js'
import { strings } from './strings.js'
import { useChosen } from './use-chosen.js'
import type { ListedProps } from './view-props.js'

const AddToPlaylist = lazy(async () => ({
  default: (await import('./add-to-playlist/dialog.js')).AddToPlaylist,
}))
const BulkEdit = lazy(async () => ({ default: (await import('./bulk-edit/dialog.js')).BulkEdit }))

/** Actions on the selected videos, on any page of the list. */
export function BulkBar({ list, selection, bulk }: ListedProps) {
  const { videos, found, isMore, isWholePage, selectAll } = useChosen(list, selection)
  const [isEditing, { open, close }] = useDisclosure()
  const [isAdding, adding] = useDisclosure()
  if (bulk.progress) {
    const { done, all } = bulk.progress
    return <BusyBar label={strings.bulk} words={strings.working(done, all)} done={done} all={all} />
  }
  if (videos.length === 0) return null
  const then = (run: Run) => () => {
    selection.clear()
    void run(videos)
  }
  return (
    <SelectionBar
      label={strings.bulk}
      words={
        found !== undefined
          ? strings.selectingAll(found)
          : (isWholePage ? strings.selectedPage : strings.selected)(videos.length)
      }
    >
      {isMore && (
        <Button size="xs" variant="subtle" loading={found !== undefined} onClick={() => void selectAll()}>
          {strings.selectAll}
        </Button>
      )}
      <Changes bulk={bulk} then={then} onEdit={open} onAdd={adding.open} />
      <Button size="xs" variant="subtle" onClick={selection.clear}>
        {strings.clear}
      </Button>
      {isAdding && (
        <Suspense>
          <AddToPlaylist
            count={videos.length}
            onClose={adding.close}
            onChoose={(playlist) => {
              adding.close()
              then((all) => bulk.addToPlaylist(all, playlist))()
            }}
          />
        </Suspense>
      )}
      {isEditing && (
        <Suspense>
          <BulkEdit videos={videos} onClose={close} />
        </Suspense>
      )}
    </SelectionBar>
  )
}

type Run = (videos: readonly Video[]) => Promise<void>

interface ChangesProps {
  readonly bulk: ListedProps['bulk']
  readonly then: (run: Run) => () => void
  onEdit(): void
  onAdd(): void
}

interface Change {
  readonly label: string
  readonly icon: IconName
  readonly run: () => void
  /** Whether it is in a menu on phones. */
  readonly isFolded?: boolean
}

function Changes({ bulk, then, onEdit, onAdd }: ChangesProps) {
  const remove = then((all) => bulk.remove(all))
  const changes: readonly Change[] = [
    { label: strings.publish, icon: 'eye', run: then((all) => bulk.setActive(all, true)) },
    {
      label: strings.unpublish,
      icon: 'hidden',
      run: then((all) => bulk.setActive(all, false)),
      isFolded: true,
    },
    { label: strings.edit, icon: 'edit', run: onEdit },
    { label: strings.addToPlaylist, icon: 'list', run: onAdd, isFolded: true },
  ]
  return (
    <>
      {changes.map(({ label, icon, run, isFolded }, index) => (
        <Button
          key={label}
          size="xs"
          variant={index === 0 ? 'filled' : 'default'}
          leftSection={<Icon name={icon} size={14} />}
          visibleFrom={isFolded ? 'sm' : undefined}
          onClick={run}
        >
          {label}
        </Button>
      ))}
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="trash" size={14} />}
        visibleFrom="sm"
        onClick={remove}
      >
        {strings.delete}
      </Button>
      <MoreMenu label={strings.moreActions} size={30} hiddenFrom="sm">
        {changes
          .filter(({ isFolded }) => isFolded)
          .map(({ label, icon, run }) => (
            <Menu.Item key={label} leftSection={<Icon name={icon} />} onClick={run}>
              {label}
            </Menu.Item>
          ))}
        <DeleteItem onClick={remove}>{strings.delete}</DeleteItem>
      </MoreMenu>
    </>
  )
}
