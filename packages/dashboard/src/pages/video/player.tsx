import { Center, Stack, Text } from '@mantine/core'
import { videoFrame } from '@zoetrope/sdk'
import type { Ref } from 'react'
import { origin } from '../../data/api.js'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { Icon } from '../../ui/icons.js'
import { strings } from './strings.js'
import { useStart } from './use-start.js'
import classes from './video.module.css'

const reasons: Partial<Readonly<Record<Video['status'], string>>> = {
  created: strings.noFilm,
  uploading: strings.arriving,
  processing: strings.preparing,
}

interface PlayerProps {
  readonly video: Video
  readonly ref: Ref<HTMLIFrameElement>
}

/** The film in the viewers' player, or the reason why it cannot be played. */
export function Player({ video, ref }: PlayerProps) {
  const { channel } = useSession()
  const start = useStart()
  if (video.playable_at !== null)
    return (
      <div className={classes.stage}>
        <iframe
          ref={ref}
          className={classes.player}
          src={videoFrame({ url: origin, videoId: video._id, channelId: channel._id }, start)}
          title={strings.player(video.title)}
          allow="autoplay; fullscreen; picture-in-picture"
        />
      </div>
    )
  return (
    <Center className={classes.player} role="status">
      <Stack align="center" gap="xs" p="md" ta="center">
        <Icon name="film" size={36} />
        <Text>{reasons[video.status] ?? strings.notPlayable}</Text>
      </Stack>
    </Center>
  )
}

/** Controls the player from other parts of the page. */
export interface PlayerHandle {
  /** The position in seconds, or undefined if there is no player. */
  currentTime(): number | undefined
  seek(seconds: number): void
  isPlaying(): boolean
  play(): void
  pause(): void
  /** The URL of the storyboard, once it exists. */
  storyboard(): string | undefined
  /** Hides the subtitles that the player shows. */
  hideTexts(): void
  /** Shows a new title of the video. */
  setTitle(title: string): void
  /** The element for overlays on the player. */
  stage(): HTMLElement | null
}

interface PlayerElement extends HTMLElement {
  readonly video?: HTMLVideoElement
}

/** The player inside the frame, which has the same origin. */
const playerIn = (frame: HTMLIFrameElement | null): PlayerElement | null | undefined =>
  frame?.contentDocument?.querySelector('zoetrope-player')

export function handleOf(frame: { readonly current: HTMLIFrameElement | null }): PlayerHandle {
  return {
    currentTime: () => playerIn(frame.current)?.video?.currentTime,
    seek(seconds) {
      const film = playerIn(frame.current)?.video
      if (film) film.currentTime = seconds
    },
    isPlaying: () => playerIn(frame.current)?.video?.paused === false,
    play() {
      // A browser may refuse to start a film. Then it stays paused, which the user sees.
      playerIn(frame.current)
        ?.video?.play()
        .catch(() => undefined)
    },
    pause: () => playerIn(frame.current)?.video?.pause(),
    storyboard: () => playerIn(frame.current)?.getAttribute('storyboard') ?? undefined,
    hideTexts() {
      for (const track of playerIn(frame.current)?.video?.textTracks ?? [])
        if (track.mode === 'showing') track.mode = 'hidden'
    },
    setTitle(title) {
      const player = playerIn(frame.current)
      if (player?.hasAttribute('title')) player.setAttribute('title', title)
    },
    stage: () => frame.current?.parentElement ?? null,
  }
}
