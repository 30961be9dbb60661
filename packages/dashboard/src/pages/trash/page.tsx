import { Button, Group, Menu, Stack, Text } from '@mantine/core'
import { catalog } from '@zoetrope/contract'
import { videoWords } from '@zoetrope/contract/words/videos'
import { useState } from 'react'
import { looseCalls } from '../../data/plain.js'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { Ago } from '../../ui/ago.js'
import { Dialog } from '../../ui/form-dialog.js'
import { Icon } from '../../ui/icons.js'
import { DeleteItem, MoreMenu } from '../../ui/more-menu.js'
import { sayFailed } from '../../ui/notices.js'
import { PageLayout } from '../../ui/page.js'
import { Poster } from '../../ui/poster.js'
import { ResourceTable } from '../../ui/resource-table/resource-table.js'
import { useResourceList } from '../../ui/resource-table/use-resource-list.js'
import { useSelection } from '../../ui/resource-table/use-selection.js'
import { BusyBar, SelectionBar } from '../../ui/selection-bar.js'
import { Empty } from '../../ui/states.js'
import { daysLeft } from './days-left.js'
import { strings } from './strings.js'
import classes from './trash.module.css'
import { useTrash } from './use-trash.js'

const keptDays = catalog.videos.keptDays ?? 0

/** The videos to delete for good, once the user confirms. */
interface Doomed {
  readonly question: string
  readonly ids: readonly string[]
}

const columns = [
  {
    field: 'title',
    label: strings.columns.title,
    render: (video: Video) => (
      <span className={classes.title}>
        <span className={classes.picture}>
          <Poster video={video} width={160} />
        </span>
        <Text component="span" fw={500} lineClamp={2}>
          {video.title}
        </Text>
      </span>
    ),
  },
  {
    field: 'deleted_at',
    label: strings.columns.deleted,
    render: ({ deleted_at }: Video) => (
      <Text size="sm" component="span">
        <Ago at={deleted_at ?? ''} />
      </Text>
    ),
  },
  {
    field: 'left',
    label: strings.columns.left,
    isOnPhone: true,
    render: ({ deleted_at }: Video) => (
      <Text size="sm" className={classes.left}>
        {strings.left(daysLeft(deleted_at, keptDays))}
      </Text>
    ),
  },
]

/** The deleted videos that can still be restored. */
export function Page() {
  const { client, mayEdit } = useSession()
  const selection = useSelection()
  const trash = useTrash()
  const [doomed, setDoomed] = useState<Doomed>()
  const list = useResourceList<Video>({
    resource: catalog.videos,
    name: 'videos',
    list: looseCalls(client, 'videos').list,
    base: { deleted: true, active: 'all' },
  })
  const isFilled = (list.query.data?.response.length ?? 0) > 0
  const ask = (ids: readonly string[], title?: string) =>
    setDoomed({
      ids,
      question: title === undefined ? strings.purgeSome(ids.length) : strings.purgeOne(title),
    })
  const askForAll = () => trash.findAll().then(ask, (error: unknown) => sayFailed(strings.notFound, error))
  return (
    <PageLayout
      title={strings.title}
      about={strings.about(keptDays)}
      actions={
        mayEdit &&
        isFilled && (
          <Button variant="default" leftSection={<Icon name="trash" />} onClick={() => void askForAll()}>
            {strings.emptyTrash}
          </Button>
        )
      }
    >
      <Stack>
        <ResourceTable
          list={list}
          words={videoWords}
          columns={columns}
          to={({ _id }) => `/videos/${_id}`}
          {...(mayEdit
            ? {
                selection,
                rowActions: (video: Video) => (
                  <RowMenu
                    title={video.title}
                    onRestore={() => void trash.restore([video._id])}
                    onPurge={() => ask([video._id], video.title)}
                  />
                ),
              }
            : {})}
          empty={<Empty icon="trash" title={strings.empty} about={strings.emptyAbout(keptDays)} />}
        />
        <Bar ids={[...selection.ids]} onClear={selection.clear} onPurge={ask} trash={trash} />
      </Stack>
      <Confirm
        doomed={doomed}
        onClose={() => setDoomed(undefined)}
        onConfirm={(ids) => {
          setDoomed(undefined)
          selection.clear()
          void trash.purge(ids)
        }}
      />
    </PageLayout>
  )
}

interface RowMenuProps {
  readonly title: string
  onRestore(): void
  onPurge(): void
}

const RowMenu = ({ title, onRestore, onPurge }: RowMenuProps) => (
  <MoreMenu label={strings.actions(title)} variant="subtle" color="gray">
    <Menu.Item leftSection={<Icon name="undo" />} onClick={onRestore}>
      {strings.restore}
    </Menu.Item>
    <DeleteItem onClick={onPurge}>{strings.purge}</DeleteItem>
  </MoreMenu>
)

interface BarProps {
  readonly ids: readonly string[]
  readonly trash: ReturnType<typeof useTrash>
  onClear(): void
  onPurge(ids: readonly string[]): void
}

function Bar({ ids, trash, onClear, onPurge }: BarProps) {
  const { progress } = trash
  if (progress)
    return <BusyBar label={strings.bulk} words={strings.working(progress.done, progress.all)} {...progress} />
  if (ids.length === 0) return null
  const restore = () => {
    onClear()
    void trash.restore(ids)
  }
  return (
    <SelectionBar label={strings.bulk} words={strings.selected(ids.length)}>
      <Button size="xs" leftSection={<Icon name="undo" size={14} />} onClick={restore}>
        {strings.restore}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="trash" size={14} />}
        onClick={() => onPurge(ids)}
      >
        {strings.purge}
      </Button>
      <Button size="xs" variant="subtle" onClick={onClear}>
        {strings.clear}
      </Button>
    </SelectionBar>
  )
}

interface ConfirmProps {
  readonly doomed: Doomed | undefined
  onClose(): void
  onConfirm(ids: readonly string[]): void
}

const Confirm = ({ doomed, onClose, onConfirm }: ConfirmProps) => (
  <Dialog title={doomed?.question ?? ''} isOpen={doomed !== undefined} onClose={onClose}>
    <Text>{strings.purgeAbout}</Text>
    <Group justify="flex-end" mt="lg">
      <Button variant="default" onClick={onClose} data-autofocus>
        {strings.cancel}
      </Button>
      <Button color="red" onClick={() => onConfirm(doomed?.ids ?? [])}>
        {strings.purgeNow}
      </Button>
    </Group>
  </Dialog>
)
