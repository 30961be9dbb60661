import { NativeSelect } from '@mantine/core'
import type { Video } from '../../data/records.js'
import type { ListState } from '../../ui/resource-table/use-resource-list.js'
import { strings } from './strings.js'

/** In which order the videos stand. A column of the table may have chosen one that is not among the usual ones. */
export function Order({ list }: { readonly list: ListState<Video> }) {
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
