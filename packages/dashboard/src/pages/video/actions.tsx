import { Button, Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { keyOf } from '../../data/keys.js'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { uploadSearch } from '../../ui/define-search.js'
import { Icon } from '../../ui/icons.js'
import { DeleteItem, MoreMenu } from '../../ui/more-menu.js'
import { sayFailed } from '../../ui/notices.js'
import { useTrashNotice } from '../../ui/use-trash-notice.js'
import { useUndoable } from '../../ui/use-undoable.js'
import { isUnwatchable } from '../../ui/video-state.js'
import { strings } from './strings.js'

interface ActionsProps {
  readonly video: Video
  onChanged(video: Video): void
  /** Shows a change before the server has confirmed it, and returns a function that reverts it. */
  tryChange(change: Partial<Video>): () => void
  onShare(): void
}

/** Actions on the video as a whole. What cannot be watched can be neither published nor shared. */
export function Actions({ video, onChanged, tryChange, onShare }: ActionsProps) {
  const { client, channel } = useSession()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const report = useUndoable()
  const offerRestore = useTrashNotice()
  const failed = (error: unknown) => sayFailed(strings.failed, error)
  const setActive = (active: boolean) => {
    const takeBack = tryChange({ active })
    const words = active ? strings.published(video.title) : strings.unpublished(video.title)
    report(words, (options) => client.videos.update(video._id, { active }, options), 'saved').then(
      onChanged,
      (error) => {
        takeBack()
        failed(error)
      },
    )
  }
  const remove = async () => {
    let events: readonly string[] = []
    const onEvents = (ids: readonly string[]) => {
      events = ids
    }
    await client.videos.remove(video._id, { onEvents })
    offerRestore('deleted', { count: 1, events: events.map((id) => ({ id, item: video._id })) })
    // Deleting the video discards unsaved changes, so the guard does not ask.
    await navigate({ to: '/videos', ignoreBlocker: true })
    await queries.invalidateQueries({ queryKey: keyOf('videos', channel._id, 'list') })
  }
  const isFailed = isUnwatchable(video) && video.status === 'failed'
  const toUpload = () => void navigate({ to: '/upload', search: uploadSearch.to({ video_id: video._id }) })
  return (
    <>
      {(video.status === 'created' || isFailed) && (
        <Button leftSection={<Icon name="upload" />} onClick={toUpload}>
          {isFailed ? strings.uploadAgain : strings.addFilm}
        </Button>
      )}
      {!isUnwatchable(video) && (
        <>
          <Button
            variant={video.active || video.status === 'created' ? 'default' : 'filled'}
            leftSection={<Icon name={video.active ? 'hidden' : 'eye'} />}
            onClick={() => setActive(!video.active)}
          >
            {video.active ? strings.unpublish : strings.publish}
          </Button>
          <Button variant="default" leftSection={<Icon name="link" />} onClick={onShare}>
            {strings.share.title}
          </Button>
        </>
      )}
      <MoreMenu label={strings.more} size="lg">
        <Menu.Item leftSection={<Icon name="upload" />} onClick={toUpload}>
          {strings.replace}
        </Menu.Item>
        <DeleteItem onClick={() => void remove().catch(failed)}>{strings.delete}</DeleteItem>
      </MoreMenu>
    </>
  )
}
