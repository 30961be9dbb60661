import { ActionIcon, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { catalog, type Field } from '@zoetrope/contract'
import { useState } from 'react'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { Icon } from '../../ui/icons.js'
import { Poster } from '../../ui/poster.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { Section } from '../../ui/section.js'
import { Loaded } from '../../ui/states.js'
import classes from './playlists.module.css'
import { strings } from './strings.js'
import { moved, type Order, useOrder } from './use-order.js'

const shownAtOnce = 100

interface PlaylistVideosProps {
  readonly id: string
  readonly isManual: boolean
  /** Changes when the playlist does: its rules may have changed. */
  readonly version: string
}

/** The videos of a playlist: to be put in order by hand, or as its rules have found them. */
export function PlaylistVideos({ id, isManual, version }: PlaylistVideosProps) {
  const { client, channel, mayEdit } = useSession()
  const queryKey = ['playlist-videos', channel._id, id, isManual ? 'by hand' : version]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      client.playlists.videos(id, { per_page: shownAtOnce, active: 'all' } as never, { signal }),
  })
  const order = useOrder(id, queryKey)
  const mayOrder = isManual && mayEdit
  return (
    <Section title={strings.videos}>
      <Stack>
        <Loaded query={query}>
          {({ response, pagination }) => (
            <>
              {response.length === 0 && (
                <Text c="dimmed">{isManual ? strings.noVideos : strings.noMatch}</Text>
              )}
              <Rows videos={response} order={mayOrder ? order : undefined} />
              {pagination.pages > 1 && <Text size="sm">{strings.firstOf(response.length)}</Text>}
            </>
          )}
        </Loaded>
        {mayOrder && <AddVideos order={order} />}
      </Stack>
    </Section>
  )
}

const VideosInput = referenceTo('videos')
const field = { ...catalog.program_guides.fields.video_ids, about: '' } as Field

function AddVideos({ order }: { readonly order: Order }) {
  const [chosen, setChosen] = useState<string[]>([])
  const add = async () => {
    await order.add(chosen)
    setChosen([])
  }
  return (
    <Group align="flex-end">
      <div className={classes.grow}>
        <VideosInput
          name="add"
          label={strings.addLabel}
          field={field}
          value={chosen}
          problem={undefined}
          isDisabled={false}
          onChange={(value) => setChosen(value as string[])}
        />
      </div>
      <Button disabled={chosen.length === 0} onClick={() => void add().catch(() => {})}>
        {strings.add}
      </Button>
    </Group>
  )
}

interface RowsProps {
  readonly videos: readonly Video[]
  /** How they are put in order; absent where they cannot be. */
  readonly order: Order | undefined
}

/** One a row. By mouse they are dragged, by keyboard moved with the two arrows. */
function Rows({ videos, order }: RowsProps) {
  const [dragged, setDragged] = useState<number>()
  const drop = (to: number) => {
    if (dragged !== undefined && dragged !== to) order?.order(moved(videos, dragged, to))
    setDragged(undefined)
  }
  return (
    <ol className={classes.rows}>
      {videos.map((video, index) => (
        <li
          key={video._id}
          className={classes.row}
          data-dragged={dragged === index || undefined}
          draggable={order !== undefined}
          onDragStart={() => setDragged(index)}
          onDragEnd={() => setDragged(undefined)}
          onDragOver={(event) => event.preventDefault()}
          onDrop={() => drop(index)}
        >
          {order && (
            <span className={classes.handle} title={strings.drag}>
              <Icon name="drag" />
            </span>
          )}
          <span className={classes.poster}>
            <Poster video={video} width={160} />
          </span>
          <Anchor component={Link} to={`/videos/${video._id}`} c="inherit" flex={1} lineClamp={2}>
            {video.title}
          </Anchor>
          {order && <RowButtons videos={videos} index={index} order={order} />}
        </li>
      ))}
    </ol>
  )
}

function RowButtons({ videos, index, order }: RowsProps & { readonly index: number; readonly order: Order }) {
  const video = videos[index]
  if (!video) return null
  const move = (to: number) => order.order(moved(videos, index, to))
  return (
    <Group gap={2} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={strings.up(video.title)}
        disabled={index === 0}
        onClick={() => move(index - 1)}
      >
        <Icon name="up" />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={strings.down(video.title)}
        disabled={index === videos.length - 1}
        onClick={() => move(index + 1)}
      >
        <Icon name="down" />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={strings.remove(video.title)}
        onClick={() => order.remove({ video, before: videos })}
      >
        <Icon name="close" />
      </ActionIcon>
    </Group>
  )
}
