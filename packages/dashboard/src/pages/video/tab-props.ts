import type { Video } from '../../data/records.js'
import { defineSearch } from '../../ui/define-search.js'
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

/** The search parameters of the page: the open tab, and `fields=all` to open every group of its form. */
export const tabSearch = defineSearch<{ tab: string | null; fields?: string }>()
