import { ActionIcon, Group, Text } from '@mantine/core'
import { useFirstPage } from '../../data/account.js'
import { Icon } from '../icons.js'
import { strings } from '../strings.js'
import type { ListState } from './use-resource-list.js'

/** Moves between pages. Shown numbers start at one, whatever the channel's API uses. */
export function Pager<T>({ list }: { readonly list: ListState<T> }) {
  const first = useFirstPage()
  const pagination = list.query.data?.pagination
  if (!pagination || (pagination.previous === null && pagination.next === null)) return null
  const { current, previous, next, pages } = pagination
  const go = (page: number | null) => {
    if (page !== null) list.ask({ page })
    window.scrollTo({ top: 0 })
  }
  return (
    <Group component="nav" justify="center" gap="sm" aria-label={strings.pageOf(current - first + 1, pages)}>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={strings.previousPage}
        disabled={previous === null}
        onClick={() => go(previous)}
      >
        <Icon name="left" />
      </ActionIcon>
      <Text size="sm">{strings.pageOf(current - first + 1, pages)}</Text>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={strings.nextPage}
        disabled={next === null}
        onClick={() => go(next)}
      >
        <Icon name="right" />
      </ActionIcon>
    </Group>
  )
}
