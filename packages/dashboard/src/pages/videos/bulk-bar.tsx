import { Button, Group, Text } from '@mantine/core'
import type { Video } from '../../data/records.js'
import { Icon } from '../../ui/icons.js'
import type { Selection } from '../../ui/resource-table/use-selection.js'
import { strings } from './strings.js'
import type { Bulk } from './use-bulk.js'
import classes from './videos.module.css'

interface BulkBarProps {
  /** Those of the selection that are on this page. */
  readonly videos: readonly Video[]
  readonly selection: Selection
  readonly bulk: Bulk
}

/** What to do with the videos that were ticked. */
export function BulkBar({ videos, selection, bulk }: BulkBarProps) {
  if (videos.length === 0) return null
  const then = (run: (videos: readonly Video[]) => Promise<void>) => () => {
    selection.clear()
    void run(videos)
  }
  return (
    <Group className={classes.bar} role="region" aria-label={strings.bulk} gap="xs">
      <Text fw={600} size="sm" role="status">
        {strings.selected(videos.length)}
      </Text>
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
        onClick={then((all) => bulk.setActive(all, false))}
      >
        {strings.unpublish}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="trash" size={14} />}
        onClick={then((all) => bulk.remove(all))}
      >
        {strings.delete}
      </Button>
      <Button size="xs" variant="subtle" onClick={selection.clear}>
        {strings.clear}
      </Button>
    </Group>
  )
}
