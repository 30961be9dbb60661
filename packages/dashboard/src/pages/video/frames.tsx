import { SimpleGrid, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { readText } from '@zoetrope/sdk'
import { origin } from '../../data/api.js'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { clock } from '../../ui/numbers.js'
import type { PlayerHandle } from './player.js'
import { strings } from './strings.js'
import { cuesOf } from './subtitles/cues.js'
import classes from './video.module.css'

/** A frame of the film, as a region of a sprite sheet. */
interface Frame {
  readonly seconds: number
  readonly sheet: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const shown = 12
const waitMs = 300
const tries = 20

/** Waits a while until the player knows the storyboard's URL. */
async function addressOf(player: PlayerHandle, signal: AbortSignal): Promise<string | undefined> {
  for (let count = 0; count < tries && !signal.aborted; count += 1) {
    const address = player.storyboard()
    if (address) return address
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  return undefined
}

/** A selection of storyboard frames, evenly spaced. */
async function framesOf(
  player: PlayerHandle,
  channelId: string,
  signal: AbortSignal,
): Promise<readonly Frame[]> {
  const address = await addressOf(player, signal)
  if (!address) return []
  const cues = cuesOf(await readText({ url: origin, channelId }, address))
  const every = Math.max(1, cues.length / shown)
  return Array.from({ length: Math.min(shown, cues.length) }, (_, index) => {
    const cue = cues[Math.floor(index * every)]
    const [file = '', place = ''] = (cue?.text ?? '').split('#xywh=')
    const [x = 0, y = 0, width = 0, height = 0] = place.split(',').map(Number)
    const sheet = new URL(file, address).href
    return { seconds: (cue?.start ?? 0) / 1000, sheet, x, y, width, height }
  })
}

interface FramesProps {
  readonly videoId: string
  readonly player: PlayerHandle
  onChoose(seconds: number): void
}

/** Frames to choose a poster from. Shows nothing if there are none yet. */
export function Frames({ videoId, player, onChoose }: FramesProps) {
  const { channel } = useSession()
  const frames = useQuery({
    queryKey: keyOf('frames', channel._id, 'list', videoId),
    queryFn: ({ signal }) => framesOf(player, channel._id, signal),
  })
  if (!frames.data || frames.data.length === 0) return null
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, md: 4 }} spacing="xs" role="group" aria-label={strings.poster.frames}>
      {frames.data.map((frame) => (
        <UnstyledButton
          key={frame.seconds}
          className={classes.frame}
          aria-label={strings.poster.frameAt(clock(frame.seconds))}
          onClick={() => onChoose(frame.seconds)}
        >
          <Picture {...frame} />
          <Text span size="xs" className={classes.moment}>
            {clock(frame.seconds)}
          </Text>
        </UnstyledButton>
      ))}
    </SimpleGrid>
  )
}

/** One region of a sprite sheet, scaled to the available width. */
const Picture = ({ sheet, x, y, width, height }: Frame) => (
  <svg viewBox={`0 0 ${width} ${height}`} width="100%" aria-hidden="true">
    <image href={sheet} x={-x} y={-y} />
  </svg>
)
