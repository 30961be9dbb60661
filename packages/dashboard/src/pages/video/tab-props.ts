import type { Video } from '../../data/records.js'
import type { PlayerHandle } from './player.js'

/** What every tab of the page is given. */
export interface TabProps {
  readonly video: Video
  readonly player: PlayerHandle
  /** Shows the video as it is now. */
  put(video: Video): void
  /** Fetches the video again. */
  renew(): void
}
