import type { Video } from '../../data/records.js'
import type { ListState } from '../../ui/resource-table/use-resource-list.js'
import type { Selection } from '../../ui/resource-table/use-selection.js'
import type { Bulk } from './use-bulk.js'
import type { PageSeen } from './use-entries.js'

/** What the list, the bar and their actions share. */
export interface ListedProps {
  readonly list: ListState<Video>
  readonly selection: Selection
  readonly bulk: Bulk
}

/** The props of the grid and the table. */
export interface ViewProps extends ListedProps {
  readonly seen: PageSeen
}
