import type { Video } from '../../data/records.js'
import type { PlayerHandle } from './player.js'

/** The props of every tab. */
export interface TabProps {
  readonly video: Video
  readonly player: PlayerHandle
  /** Replaces the shown video with this one. */
  put(video: Video): void
  /** Fetches the video again. */
  renew(): void
}
