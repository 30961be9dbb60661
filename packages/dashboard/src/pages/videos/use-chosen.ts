import { useQueryClient } from '@tanstack/react-query'
import type { Page } from '@zoetrope/sdk'
import { useRef, useState } from 'react'
import { keyOf } from '../../data/keys.js'
import { looseCalls } from '../../data/plain.js'
import type { Video } from '../../data/records.js'
import { wideQuery } from '../../data/search-videos.js'
import { useSession } from '../../data/session.js'
import { sayDone, sayFailed } from '../../ui/notices.js'
import type { ListState } from '../../ui/resource-table/use-resource-list.js'
import type { Selection } from '../../ui/resource-table/use-selection.js'
import { strings } from './strings.js'

/** The maximum number of videos that can be changed at once. */
const most = 5000
const stepRecords = 100

/** The selected videos, on any page of the list, and a function that selects all. */
export function useChosen(list: ListState<Video>, selection: Selection) {
  const { client, channel } = useSession()
  const queries = useQueryClient()
  const walked = useRef(new Map<string, Video>())
  const [found, setFound] = useState<number>()
  const [isAll, setIsAll] = useState(false)

  const known = () => {
    const pages = queries.getQueriesData<Page<Video>>({ queryKey: keyOf('videos', channel._id, 'list') })
    const loaded = pages.flatMap(([, page]) => page?.response ?? [])
    return new Map([...walked.current, ...loaded.map((video) => [video._id, video] as const)])
  }

  const selectAll = async () => {
    const { page: _page, ...asked } = list.asked
    try {
      setFound(0)
      const query = { active: 'all', ...asked, per_page: stepRecords }
      for await (const video of looseCalls(client, 'videos').all(wideQuery(query))) {
        walked.current.set(video._id, video)
        if (walked.current.size % stepRecords === 0) setFound(walked.current.size)
        if (walked.current.size >= most) {
          sayDone(strings.selectedMost(most))
          break
        }
      }
      selection.toggleAll([...walked.current.keys()], true)
      setIsAll(true)
    } catch (error) {
      sayFailed(strings.notSelected, error)
    } finally {
      setFound(undefined)
    }
  }

  const videosById = selection.ids.size === 0 ? new Map<string, Video>() : known()
  const videos = [...selection.ids].flatMap((id) => videosById.get(id) ?? [])
  const page = list.query.data?.response ?? []
  const isLong = (list.query.data?.pagination.pages ?? 0) > 1
  const isEverything = isAll && [...walked.current.keys()].every((id) => selection.ids.has(id))
  const isMore = !isEverything && (isLong || videos.length < page.length)
  return {
    videos,
    /** How many have been found so far, while all are being selected. */
    found,
    /** Whether the list may have results that are not selected. */
    isMore,
    /** Whether a whole page is selected, and the list has others. */
    isWholePage: isLong && isMore && page.every(({ _id }) => selection.ids.has(_id)),
    selectAll() {
      walked.current.clear()
      return selectAll()
    },
  }
}
