import type { PlayerWishes } from '@zoetrope/sdk'
import { useRef } from 'react'
import { startSearch } from '../../ui/define-search.js'

/** The second at which the player starts. Other tabs leave it out of the URL; the player stays where it is. */
export function useStart(): PlayerWishes {
  const { t } = startSearch.useSearch()
  const last = useRef<PlayerWishes>({})
  if (typeof t === 'number' && t > 0) last.current = { start: String(t) }
  return last.current
}
