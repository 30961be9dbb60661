import { Button, Group, SegmentedControl, Stack } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { catalog } from '@zoetrope/contract'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { Icon } from '../../ui/icons.js'
import { PageLayout } from '../../ui/page.js'
import { NothingHere } from '../../ui/resource-table/resource-table.js'
import { SearchBox } from '../../ui/resource-table/search-box.js'
import { useResourceList } from '../../ui/resource-table/use-resource-list.js'
import { useSelection } from '../../ui/resource-table/use-selection.js'
import { Empty, Loaded } from '../../ui/states.js'
import { askedOfApi } from './asked-of-api.js'
import { BulkBar } from './bulk-bar.js'
import { FilterButton, FilterChips } from './filters.js'
import { Order } from './order.js'
import { strings } from './strings.js'
import { useBulk } from './use-bulk.js'
import { perPage } from './use-entries.js'
import { VideoGrid } from './video-grid.js'
import { VideoTable } from './video-table.js'
import { ViewsMenu } from './views-menu.js'

const layouts = ['grid', 'table'] as const
type Layout = (typeof layouts)[number]

/** As the address says; else as it was last time. */
function useLayout(): [Layout, (layout: Layout) => void] {
  const { layout } = useSearch({ strict: false }) as { layout?: unknown }
  const navigate = useNavigate()
  const [last, setLast] = useLocalStorage<Layout>({
    key: 'zoetrope.videos.view',
    defaultValue: 'grid',
    getInitialValueInEffect: false,
  })
  const choose = (next: Layout) => {
    setLast(next)
    const search = (old: object) => ({ ...old, layout: next })
    void navigate({ to: '.', search: search as never, replace: true, resetScroll: false })
  }
  return [layouts.find((each) => each === layout) ?? last, choose]
}

/** All videos of the channel, found, sorted out and changed many at a time. */
export function Page() {
  const { client, mayEdit } = useSession()
  const [layout, setLayout] = useLayout()
  const selection = useSelection()
  const bulk = useBulk()
  const list = useResourceList<Video>({
    resource: catalog.videos,
    queryKey: ['videos'],
    list: (query, options) => client.videos.list(askedOfApi(query) as never, options),
    base: { active: 'all' },
    perPage,
  })
  const View = layout === 'grid' ? VideoGrid : VideoTable
  return (
    <PageLayout title={strings.title} actions={mayEdit && <Ways />}>
      <Stack>
        <Group gap="xs">
          <SearchBox list={list} />
          <FilterButton list={list} />
          <Order list={list} />
          <LayoutSwitch layout={layout} onChange={setLayout} />
          <ViewsMenu list={list} layout={layout} />
        </Group>
        <FilterChips list={list} />
        <Loaded query={list.query}>
          {({ response }) =>
            response.length === 0 ? (
              <NothingHere list={list} empty={<NoVideos />} />
            ) : (
              <View list={list} selection={selection} bulk={bulk} />
            )
          }
        </Loaded>
        <BulkBar list={list} selection={selection} bulk={bulk} />
      </Stack>
    </PageLayout>
  )
}

const Ways = () => (
  <>
    <Button
      variant="default"
      renderRoot={(props) => <Link to="/import" {...props} />}
      leftSection={<Icon name="table" />}
    >
      {strings.importCsv}
    </Button>
    <UploadLink />
  </>
)

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

interface LayoutSwitchProps {
  readonly layout: Layout
  onChange(layout: Layout): void
}

const LayoutSwitch = ({ layout, onChange }: LayoutSwitchProps) => (
  <SegmentedControl
    value={layout}
    onChange={(value) => onChange(value as Layout)}
    data={layouts.map((value) => ({
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
)
