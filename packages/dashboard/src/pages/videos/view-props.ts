import type { Video } from '../../data/records.js'
import type { ListState } from '../../ui/resource-table/use-resource-list.js'
import type { Selection } from '../../ui/resource-table/use-selection.js'
import type { Bulk } from './use-bulk.js'

/** The props of the grid and the table. */
export interface ViewProps {
  readonly list: ListState<Video>
  readonly selection: Selection
  readonly bulk: Bulk
}
