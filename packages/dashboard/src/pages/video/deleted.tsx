import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { ActionButton } from '../../ui/action-button.js'
import { endJoined } from '../../ui/notices.js'
import { PageLayout } from '../../ui/page.js'
import { Empty } from '../../ui/states.js'
import { strings } from './strings.js'

interface DeletedProps {
  readonly video: Video
  readonly parent: { readonly label: string; readonly to: string }
  onRestored(video: Video): void
}

/** A deleted video that can still be restored. */
export function Deleted({ video, parent, onRestored }: DeletedProps) {
  const { client, mayEdit } = useSession()
  return (
    <PageLayout title={video.title} parents={[parent]}>
      <Empty icon="trash" title={strings.isDeleted} about={strings.isDeletedAbout}>
        {mayEdit && (
          <ActionButton
            variant="filled"
            icon="undo"
            run={async () => {
              onRestored(await client.videos.restore(video._id))
              endJoined('deleted')
            }}
            done={strings.restored}
            failed={strings.failed}
            stale={[]}
          >
            {strings.restore}
          </ActionButton>
        )}
      </Empty>
    </PageLayout>
  )
}
