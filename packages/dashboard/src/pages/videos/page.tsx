import { Button, Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { catalog } from '@zoetrope/contract'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { Icon } from '../../ui/icons.js'
import { PageLayout } from '../../ui/page.js'
import { Poster } from '../../ui/poster.js'
import { Filters } from '../../ui/resource-table/filters.js'
import { Pager } from '../../ui/resource-table/pager.js'
import { type Column, NothingHere, ResourceTable } from '../../ui/resource-table/resource-table.js'
import { SearchBox } from '../../ui/resource-table/search-box.js'
import { type ListState, useResourceList } from '../../ui/resource-table/use-resource-list.js'
import { type Selection, useSelection } from '../../ui/resource-table/use-selection.js'
import { Empty, Loaded } from '../../ui/states.js'
import { VideoStatus } from '../../ui/video-status.js'
import { BulkBar } from './bulk-bar.js'
import { strings } from './strings.js'
import { type Bulk, useBulk } from './use-bulk.js'
import { VideoGrid } from './video-grid.js'
import { VideoMenu } from './video-menu.js'
import classes from './videos.module.css'

const views = ['grid', 'table'] as const

/** All videos of the channel, found, sorted out and changed many at a time. */
export function Page() {
  const { client, mayEdit } = useSession()
  const [view, setView] = useLocalStorage<(typeof views)[number]>({
    key: 'zoetrope.videos.view',
    defaultValue: 'grid',
    getInitialValueInEffect: false,
  })
  const selection = useSelection()
  const bulk = useBulk()
  const list = useResourceList<Video>({
    resource: catalog.videos,
    queryKey: ['videos'],
    list: client.videos.list,
    base: { active: 'all' },
    perPage: 24,
  })
  const shown = list.query.data?.response ?? []
  const controls = (
    <>
      <Order list={list} />
      <SegmentedControl
        value={view}
        onChange={(value) => setView(value as typeof view)}
        data={views.map((value) => ({
          value,
          label: (
            <Group gap={6} wrap="nowrap">
              <Icon name={value} size={16} />
              {strings[value]}
            </Group>
          ),
        }))}
        aria-label={strings.view}
      />
    </>
  )
  const View = view === 'grid' ? GridView : TableView
  return (
    <PageLayout title={strings.title} actions={mayEdit && <UploadLink />}>
      <Stack>
        <View list={list} selection={selection} bulk={bulk} controls={controls} />
        <BulkBar
          videos={shown.filter(({ _id }) => selection.ids.has(_id))}
          selection={selection}
          bulk={bulk}
        />
      </Stack>
    </PageLayout>
  )
}

const UploadLink = () => (
  <Button renderRoot={(props) => <Link to="/upload" {...props} />} leftSection={<Icon name="upload" />}>
    {strings.upload}
  </Button>
)

const NoVideos = () => {
  const { mayEdit } = useSession()
  return (
    <Empty icon="video" title={strings.empty} about={strings.emptyAbout}>
      {mayEdit && <UploadLink />}
    </Empty>
  )
}

const Order = ({ list }: { readonly list: ListState<Video> }) => (
  <NativeSelect
    aria-label={strings.sort}
    value={`${list.sort} ${list.order}`}
    data={Object.entries(strings.sorts).map(([value, label]) => ({ value, label }))}
    onChange={(event) => {
      const [sort, order] = event.currentTarget.value.split(' ')
      list.ask({ sort, order })
    }}
  />
)

interface ViewProps {
  readonly list: ListState<Video>
  readonly selection: Selection
  readonly bulk: Bulk
  readonly controls: React.ReactNode
}

const filters = ['status', 'active', 'featured']

function GridView({ list, selection, bulk, controls }: ViewProps) {
  return (
    <>
      <Group gap="xs">
        <SearchBox list={list} />
        <Filters list={list} fields={filters} labels={{ active: strings.active }} />
        {controls}
      </Group>
      <Loaded query={list.query}>
        {({ response }) =>
          response.length === 0 ? (
            <NothingHere list={list} empty={<NoVideos />} />
          ) : (
            <VideoGrid videos={response} selection={selection} bulk={bulk} />
          )
        }
      </Loaded>
      <Pager list={list} />
    </>
  )
}

const columns: readonly Column<Video>[] = [
  {
    field: 'title',
    label: strings.columns.title,
    render: (video) => (
      <span className={classes.row}>
        <span className={classes.small}>
          <Poster video={video} width={160} />
        </span>
        <Text component="span" fw={500} lineClamp={2}>
          {video.title}
        </Text>
      </span>
    ),
  },
  {
    field: 'status',
    label: strings.columns.status,
    render: (video) => <VideoStatus video={video} />,
    isOnPhone: true,
  },
  { field: 'request_count', label: strings.columns.request_count },
  { field: 'created_at', label: strings.columns.created_at },
]

function TableView({ list, selection, bulk, controls }: ViewProps) {
  const { mayEdit } = useSession()
  return (
    <ResourceTable
      list={list}
      columns={columns}
      nameOf={({ title }) => title}
      to={({ _id }) => `/videos/${_id}`}
      filters={filters}
      controls={controls}
      selection={mayEdit ? selection : undefined}
      rowActions={mayEdit ? (video) => <VideoMenu video={video} bulk={bulk} /> : undefined}
      empty={<NoVideos />}
    />
  )
}
