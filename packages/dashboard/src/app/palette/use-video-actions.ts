import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { keyOf } from '../../data/keys.js'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { sayFailed } from '../../ui/notices.js'
import { useUndoable } from '../../ui/use-undoable.js'
import { isUnwatchable } from '../../ui/video-state.js'
import type { Choice } from './choice.js'
import { strings } from './strings.js'

/** Actions on the video whose page is open. */
export function useVideoActions(): readonly Choice[] {
  const { client, channel, mayEdit } = useSession()
  const queries = useQueryClient()
  const report = useUndoable()
  const id = useLocation({ select: ({ pathname }) => /^\/videos\/(\w{24})/.exec(pathname)?.[1] })
  const video = id && queries.getQueryData<Video>(keyOf('videos', channel._id, 'record', id))
  if (!video || video.status === 'deleted' || isUnwatchable(video) || !mayEdit) return []
  const { active, title } = video
  const change = async () => {
    const words = active ? strings.unpublished(title) : strings.published(title)
    await report(words, (options) => client.videos.update(id, { active: !active }, options), 'saved')
    await queries.invalidateQueries({ queryKey: keyOf('videos') })
  }
  return [
    {
      id: 'publish',
      label: active ? strings.unpublish(title) : strings.publish(title),
      icon: active ? 'hidden' : 'eye',
      run: () => void change().catch((error: unknown) => sayFailed(strings.notChanged, error)),
    },
  ]
}
