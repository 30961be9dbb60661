import { Box, Group, Skeleton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useSession } from '../../data/session.js'
import { Ago } from '../../ui/ago.js'
import { Poster } from '../../ui/poster.js'
import { VideoStatus } from '../../ui/video-status.js'
import { Beyond } from './beyond.js'
import { FoundAt, FoundTitle } from './found-at.js'
import { Tick } from './tick.js'
import { type OneProps, useActions } from './use-actions.js'
import { useEntries } from './use-entries.js'
import { VideoMenu } from './video-menu.js'
import classes from './videos.module.css'
import type { ViewProps } from './view-props.js'

const usualHeight = 280

/** The videos as a grid of posters. */
export function VideoGrid({ list, selection, bulk, seen }: ViewProps) {
  const { ref, shown, before, height, count, reach, between } = useEntries(list, seen, usualHeight)
  const actions = useActions(selection, bulk, between)
  return (
    <>
      <div ref={ref} className={classes.whole} style={{ height }}>
        <ul
          className={classes.grid}
          style={{ transform: `translateY(${before}px)` }}
          aria-busy={list.query.isFetching}
        >
          {shown.map(({ place, video }) => (
            <li
              key={video?._id ?? place}
              data-entry
              className={classes.card}
              data-selected={(video && selection.ids.has(video._id)) || undefined}
              aria-setsize={count}
              aria-posinset={place + 1}
            >
              {video ? (
                <Card video={video} isSelected={selection.ids.has(video._id)} actions={actions} />
              ) : (
                <NoCard />
              )}
            </li>
          ))}
        </ul>
      </div>
      <Beyond count={count} reach={reach} />
    </>
  )
}

const NoCard = () => (
  <>
    <div className={classes.noPicture} />
    <Box className={classes.title} mt="xs">
      <Skeleton height={14} width="70%" />
    </Box>
    <div className={classes.status} />
    <div className={classes.foot} />
  </>
)

const Card = (props: OneProps) => (
  <>
    <Film video={props.video} />
    {useSession().mayEdit && <Tick {...props} className={classes.tick} />}
    <Facts video={props.video} actions={props.actions} />
  </>
)

/** Redraws only when the video changes, to keep scrolling and selecting fast. So do the facts. */
const Film = memo(function Film({ video }: Pick<OneProps, 'video'>) {
  return (
    <Link to={`/videos/${video._id}`} className={classes.link}>
      <Poster video={video} />
      <Text fw={600} lineClamp={2} mt="xs" className={classes.title}>
        <FoundTitle video={video} />
      </Text>
    </Link>
  )
})

const Facts = memo(function Facts({ video, actions }: Omit<OneProps, 'isSelected'>) {
  const { mayEdit } = useSession()
  return (
    <>
      <FoundAt video={video} />
      <div className={classes.status}>
        <VideoStatus video={video} />
      </div>
      <Group justify="space-between" wrap="nowrap" gap={4} className={classes.foot}>
        <Text size="xs" c="dimmed" className={classes.when}>
          <Ago at={video.created_at} />
        </Text>
        {mayEdit && <VideoMenu video={video} bulk={actions} />}
      </Group>
    </>
  )
})
