import { ActionIcon, Anchor, Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useFirstPage } from '../../data/account.js'
import { keyOf } from '../../data/keys.js'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { Icon } from '../../ui/icons.js'
import { Poster } from '../../ui/poster.js'
import { pickersOf } from '../../ui/resource-form/reference-input.js'
import { Section } from '../../ui/section.js'
import { Loaded } from '../../ui/states.js'
import classes from './playlists.module.css'
import { strings } from './strings.js'
import { moved, type Order, useOrder } from './use-order.js'
import { videosOf } from './videos-of.js'

interface PlaylistVideosProps {
  readonly id: string
  readonly isManual: boolean
  /** Changes when the playlist is saved, because its rules may be different then. */
  readonly version: string
}

/** The videos of a playlist, ordered by hand or found by its rules. */
export function PlaylistVideos({ id, isManual, version }: PlaylistVideosProps) {
  const { client, channel, mayEdit } = useSession()
  const firstNumber = useFirstPage()
  const [pages, setPages] = useState(1)
  const queryKey = keyOf('playlist-videos', channel._id, 'list', id, isManual ? 'by hand' : version, pages)
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => videosOf(client, { id, firstNumber, pages }, signal),
    placeholderData: keepPreviousData,
  })
  const order = useOrder({ id, firstNumber }, queryKey)
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
              {pagination.pages > pages && (
                <Group>
                  <Button variant="default" onClick={() => setPages(pages + 1)}>
                    {strings.showMore}
                  </Button>
                  <Text size="sm" role="status">
                    {strings.firstOf(response.length)}
                  </Text>
                </Group>
              )}
            </>
          )}
        </Loaded>
        {mayOrder && <AddVideos order={order} />}
      </Stack>
    </Section>
  )
}

const { Many: VideosInput } = pickersOf('videos')

function AddVideos({ order }: { readonly order: Order }) {
  const [chosen, setChosen] = useState<string[]>([])
  const add = async () => {
    await order.add(chosen)
    setChosen([])
  }
  return (
    <Group align="flex-end">
      <div className={classes.grow}>
        <VideosInput name="add" label={strings.addLabel} value={chosen} onChange={setChosen} />
      </div>
      <Button disabled={chosen.length === 0} onClick={() => void add().catch(() => {})}>
        {strings.add}
      </Button>
    </Group>
  )
}

interface RowsProps {
  readonly videos: readonly Video[]
  /** Absent if the order cannot be changed. */
  readonly order: Order | undefined
}

/** One row for each video. Rows are dragged with a mouse, or moved with two buttons. */
function Rows({ videos, order }: RowsProps) {
  const [dragged, setDragged] = useState<number>()
  const [over, setOver] = useState<number>()
  const [told, setTold] = useState('')
  const rows = useRef<HTMLOListElement>(null)
  const end = () => {
    setDragged(undefined)
    setOver(undefined)
  }
  const move = (from: number, to: number) => {
    const video = videos[from]
    if (!order || !video || !videos[to] || from === to) return
    order.order({ videos: moved(videos, from, to), from: Math.min(from, to), until: Math.max(from, to) + 1 })
    setTold(strings.movedTo(video.title, to + 1, videos.length))
  }
  const takeOut = (video: Video, index: number) => {
    order?.remove({ video, place: index })
    // Focus moves to the row that takes its place.
    const next = rows.current?.children[index + 1] ?? rows.current?.children[index - 1]
    next?.querySelector<HTMLElement>('button:last-of-type')?.focus()
  }
  /** The line shows where a dropped row would go: above earlier rows, below later ones. */
  const sideOf = (index: number) => {
    if (dragged === undefined || over !== index || dragged === index) return undefined
    return index < dragged ? 'above' : 'below'
  }
  return (
    <>
      <ol className={classes.rows} ref={rows}>
        {videos.map((video, index) => (
          <li
            key={video._id}
            className={classes.row}
            data-dragged={dragged === index || undefined}
            data-drop={sideOf(index)}
            draggable={order !== undefined}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move'
              event.dataTransfer.setData('text/plain', video.title)
              setDragged(index)
            }}
            onDragEnd={end}
            onDragOver={(event) => {
              if (dragged === undefined) return
              event.preventDefault()
              setOver(index)
            }}
            onDrop={(event) => {
              event.preventDefault()
              if (dragged !== undefined) move(dragged, index)
              end()
            }}
          >
            {order && (
              <span className={classes.handle} title={strings.drag}>
                <Icon name="drag" />
              </span>
            )}
            <span className={classes.poster}>
              <Poster video={video} width={160} />
            </span>
            <Anchor
              component={Link}
              to={`/videos/${video._id}`}
              c="inherit"
              flex={1}
              lineClamp={2}
              draggable={false}
            >
              {video.title}
            </Anchor>
            {order && (
              <RowButtons
                title={video.title}
                isFirst={index === 0}
                isLast={index === videos.length - 1}
                onMove={(by) => move(index, index + by)}
                onTakeOut={() => takeOut(video, index)}
              />
            )}
          </li>
        ))}
      </ol>
      <VisuallyHidden role="status">{told}</VisuallyHidden>
    </>
  )
}

interface RowButtonsProps {
  readonly title: string
  readonly isFirst: boolean
  readonly isLast: boolean
  onMove(by: 1 | -1): void
  onTakeOut(): void
}

/** Buttons without effect stay focusable, so that keyboard users do not lose their position at the ends. */
const RowButtons = ({ title, isFirst, isLast, onMove, onTakeOut }: RowButtonsProps) => (
  <Group gap={2} wrap="nowrap">
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={strings.up(title)}
      aria-disabled={isFirst}
      data-disabled={isFirst || undefined}
      onClick={() => onMove(-1)}
    >
      <Icon name="up" />
    </ActionIcon>
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={strings.down(title)}
      aria-disabled={isLast}
      data-disabled={isLast || undefined}
      onClick={() => onMove(1)}
    >
      <Icon name="down" />
    </ActionIcon>
    <ActionIcon variant="subtle" color="gray" aria-label={strings.remove(title)} onClick={onTakeOut}>
      <Icon name="close" />
    </ActionIcon>
  </Group>
)
