import { Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import type { Video } from '../../data/records.js'
import { Icon } from '../../ui/icons.js'
import { DeleteItem, MoreMenu } from '../../ui/more-menu.js'
import { BusyBar, SelectionBar } from '../../ui/selection-bar.js'
import { strings } from './strings.js'
import { useChosen } from './use-chosen.js'
import type { ViewProps } from './view-props.js'

const AddToPlaylist = lazy(async () => ({
  default: (await import('./add-to-playlist/dialog.js')).AddToPlaylist,
}))
const BulkEdit = lazy(async () => ({ default: (await import('./bulk-edit/dialog.js')).BulkEdit }))

/** Actions on the selected videos, on any page of the list. */
export function BulkBar({ list, selection, bulk }: ViewProps) {
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
  readonly bulk: ViewProps['bulk']
  readonly then: (run: Run) => () => void
  onEdit(): void
  onAdd(): void
}

function Changes({ bulk, then, onEdit, onAdd }: ChangesProps) {
  const unpublish = then((all) => bulk.setActive(all, false))
  const remove = then((all) => bulk.remove(all))
  return (
    <>
      <Button
        size="xs"
        leftSection={<Icon name="eye" size={14} />}
        onClick={then((all) => bulk.setActive(all, true))}
      >
        {strings.publish}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="hidden" size={14} />}
        visibleFrom="sm"
        onClick={unpublish}
      >
        {strings.unpublish}
      </Button>
      <Button size="xs" variant="default" leftSection={<Icon name="edit" size={14} />} onClick={onEdit}>
        {strings.edit}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="list" size={14} />}
        visibleFrom="sm"
        onClick={onAdd}
      >
        {strings.addToPlaylist}
      </Button>
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
        <Menu.Item leftSection={<Icon name="hidden" />} onClick={unpublish}>
          {strings.unpublish}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="list" />} onClick={onAdd}>
          {strings.addToPlaylist}
        </Menu.Item>
        <DeleteItem onClick={remove}>{strings.delete}</DeleteItem>
      </MoreMenu>
    </>
  )
}
