import { SegmentedControl } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { ListPage } from '../../ui/record-pages/list-page.js'
import { playlists } from './kind.js'
import { strings } from './strings.js'
import { PlaylistTree } from './tree.js'

/** All playlists, as a list or as they lie inside each other. */
export function Page() {
  const [view, setView] = useLocalStorage<'list' | 'tree'>({
    key: 'zoetrope.playlists.view',
    defaultValue: 'list',
    getInitialValueInEffect: false,
  })
  const choice = (
    <SegmentedControl
      aria-label={strings.view}
      value={view}
      onChange={(value) => setView(value as typeof view)}
      data={[
        { value: 'list', label: strings.list },
        { value: 'tree', label: strings.tree },
      ]}
    />
  )
  return view === 'list' ? <ListPage kind={playlists} actions={choice} /> : <PlaylistTree actions={choice} />
}
