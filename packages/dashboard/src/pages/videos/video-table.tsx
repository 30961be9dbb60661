import { Anchor, Checkbox, Paper, Skeleton, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { FoundVideo } from '../../data/search-videos.js'
import { useSession } from '../../data/session.js'
import { Ago } from '../../ui/ago.js'
import { whole } from '../../ui/numbers.js'
import { Poster } from '../../ui/poster.js'
import { Heading, placeOf } from '../../ui/resource-table/heading.js'
import { VideoStatus } from '../../ui/video-status.js'
import { Beyond } from './beyond.js'
import { FoundAt, FoundTitle } from './found-at.js'
import { strings } from './strings.js'
import { Tick } from './tick.js'
import { type OneProps, useActions } from './use-actions.js'
import { useEntries } from './use-entries.js'
import { VideoMenu } from './video-menu.js'
import classes from './videos.module.css'
import type { ViewProps } from './view-props.js'

const usualHeight = 76
const headHeight = 46

const columns = [
  { field: 'title', label: strings.columns.title },
  { field: 'status', label: strings.columns.status, isOnPhone: true, width: { base: '8.5rem', sm: '15rem' } },
  { field: 'request_count', label: strings.columns.request_count, width: '8.5rem' },
  { field: 'created_at', label: strings.columns.created_at, width: '9rem' },
] as const

/** The videos as rows. */
export function VideoTable({ list, selection, bulk, seen }: ViewProps) {
  const { mayEdit } = useSession()
  const { ref, shown, before, height, count, reach, loaded, between } = useEntries(list, seen, usualHeight)
  const actions = useActions(selection, bulk, between)
  const isAll = loaded.length > 0 && loaded.every((id) => selection.ids.has(id))
  const width = columns.length + (mayEdit ? 2 : 0)
  return (
    <>
      <Paper withBorder ref={ref} className={classes.whole} style={{ height: height + headHeight }}>
        <Table
          highlightOnHover
          className={classes.table}
          style={{ transform: `translateY(${before}px)` }}
          horizontalSpacing="md"
          aria-busy={list.query.isFetching}
          aria-rowcount={count + 1}
        >
          <Table.Thead>
            <Table.Tr aria-rowindex={1}>
              {mayEdit && (
                <Table.Th w={44}>
                  <Checkbox
                    aria-label={strings.selectPage}
                    checked={isAll}
                    indeterminate={selection.ids.size > 0 && !isAll}
                    onChange={() => (isAll ? selection.clear() : selection.toggleAll(loaded, true))}
                  />
                </Table.Th>
              )}
              {columns.map((column, index) => (
                <Heading
                  key={column.field}
                  label={column.label}
                  list={list}
                  column={column}
                  isFirst={index === 0}
                />
              ))}
              {mayEdit && <Table.Th w={64} aria-label={strings.rowActions} />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ place, video }) => (
              <Table.Tr
                key={video?._id ?? place}
                data-entry
                className={classes.line}
                aria-rowindex={place + 2}
              >
                {video ? (
                  <Line video={video} isSelected={selection.ids.has(video._id)} actions={actions} />
                ) : (
                  <Table.Td colSpan={width}>
                    <Skeleton height={18} width="60%" />
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      <Beyond count={count} reach={reach} />
    </>
  )
}

const Line = (props: OneProps) => (
  <>
    {useSession().mayEdit && (
      <Table.Td>
        <Tick {...props} />
      </Table.Td>
    )}
    <Cells video={props.video} actions={props.actions} />
  </>
)

/** Redraws only when the video changes, to keep scrolling and selecting fast. */
const Cells = memo(function Cells({ video, actions }: Omit<OneProps, 'isSelected'>) {
  const { mayEdit } = useSession()
  const wide = placeOf({ field: '' }, 1)
  const isFound = (video as FoundVideo).matches !== undefined
  return (
    <>
      <Table.Td>
        <Anchor component={Link} to={`/videos/${video._id}`} c="inherit" fw={500} className={classes.row}>
          <span className={classes.small}>
            <Poster video={video} width={160} />
          </span>
          <Text component="span" fw={500} lineClamp={isFound ? 1 : 2}>
            <FoundTitle video={video} />
          </Text>
        </Anchor>
        <FoundAt video={video} />
      </Table.Td>
      <Table.Td className={classes.badges}>
        <VideoStatus video={video} />
      </Table.Td>
      <Table.Td className={wide}>{whole(video.request_count)}</Table.Td>
      <Table.Td className={wide}>
        <Text size="sm" className={classes.when}>
          <Ago at={video.created_at} />
        </Text>
      </Table.Td>
      {mayEdit && (
        <Table.Td>
          <VideoMenu video={video} bulk={actions} />
        </Table.Td>
      )}
    </>
  )
})
