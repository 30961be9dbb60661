import { Button, Group, NativeSelect, SegmentedControl, Stack } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { Link, Navigate, useNavigate } from '@tanstack/react-router'
import { catalog } from '@zoetrope/contract'
import { useDeferredValue, useRef } from 'react'
import { looseCalls } from '../../data/plain.js'
import type { Video } from '../../data/records.js'
import { wideQuery } from '../../data/search-videos.js'
import { useSession } from '../../data/session.js'
import { defineSearch } from '../../ui/define-search.js'
import { Icon } from '../../ui/icons.js'
import { PageLayout } from '../../ui/page.js'
import { NothingHere } from '../../ui/resource-table/resource-table.js'
import { SearchBox } from '../../ui/resource-table/search-box.js'
import { type ListState, useResourceList } from '../../ui/resource-table/use-resource-list.js'
import { useSelection } from '../../ui/resource-table/use-selection.js'
import { Empty, Loaded } from '../../ui/states.js'
import { BulkBar } from './bulk-bar.js'
import { FilterButton, FilterChips } from './filters.js'
import { SearchSummary } from './search-summary.js'
import { strings } from './strings.js'
import { useBulk } from './use-bulk.js'
import { type PageSeen, perPage } from './use-entries.js'
import { VideoGrid } from './video-grid.js'
import { VideoTable } from './video-table.js'
import { ViewsMenu } from './views-menu.js'

const layouts = ['grid', 'table'] as const
type Layout = (typeof layouts)[number]

const layoutSearch = defineSearch<{ layout: Layout }>()

/** The layout in the URL, or else the last chosen one. */
function useLayout(): [Layout, (layout: Layout) => void] {
  const { layout } = layoutSearch.useSearch()
  const navigate = useNavigate()
  const [last, setLast] = useLocalStorage<Layout>({
    key: 'zoetrope.videos.view',
    defaultValue: 'grid',
    getInitialValueInEffect: false,
  })
  const choose = (next: Layout) => {
    setLast(next)
    const search = layoutSearch.to((old) => ({ ...old, layout: next }))
    void navigate({ to: '.', search, replace: true, resetScroll: false })
  }
  return [layouts.find((each) => each === layout) ?? last, choose]
}

/** All videos of the channel, with search, filters and bulk changes. */
export function Page() {
  const { client, mayEdit } = useSession()
  const [layout, setLayout] = useLayout()
  const { list: call } = looseCalls(client, 'videos')
  const listed = useResourceList<Video>({
    resource: catalog.videos,
    name: 'videos',
    list: (query, options) => call(wideQuery(query), options),
    base: { active: 'all' },
    perPage,
  })
  // New words may be corrected again.
  const list: ListState<Video> = {
    ...listed,
    ask: (change) => listed.ask('q' in change ? { search_exact: undefined, ...change } : change),
  }
  // Deleted videos have a page of their own. Views saved before it existed may ask for them here.
  if (list.asked.status === 'deleted') return <Navigate to="/trash" replace />
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
        <SearchSummary list={list} />
        <Found list={list} layout={layout} />
      </Stack>
    </PageLayout>
  )
}

interface FoundProps {
  readonly list: ListState<Video>
  readonly layout: Layout
}

/** The found videos, and the bar of the selected ones. A selection redraws nothing else. */
function Found({ list, layout }: FoundProps) {
  const selection = useSelection()
  // The boxes answer at once, and the bar follows.
  const inBar = { ...selection, ids: useDeferredValue(selection.ids) }
  const bulk = useBulk()
  const seen: PageSeen = useRef(undefined)
  // The switch answers at once, and the other view follows when it is drawn.
  const View = useDeferredValue(layout) === 'grid' ? VideoGrid : VideoTable
  return (
    <>
      <Loaded query={list.query}>
        {({ response }) =>
          response.length === 0 ? (
            <NothingHere list={list} empty={<NoVideos />} />
          ) : (
            <View list={list} selection={selection} bulk={bulk} seen={seen} />
          )
        }
      </Loaded>
      <BulkBar list={list} selection={inBar} bulk={bulk} />
    </>
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

/** Selects the order of the videos. A table heading can choose an order that is not in the usual list. */
function Order({ list }: { readonly list: ListState<Video> }) {
  const value = `${list.sort} ${list.order}`
  const usual = Object.entries(strings.sorts).map(([each, label]) => ({ value: each, label }))
  const data = usual.some((each) => each.value === value)
    ? usual
    : [...usual, { value, label: strings.otherSort(list.sort, list.order) }]
  return (
    <NativeSelect
      aria-label={strings.sort}
      value={value}
      data={data}
      onChange={(event) => {
        const [sort, order] = event.currentTarget.value.split(' ')
        list.ask({ sort, order })
      }}
    />
  )
}
