import { useSession } from '../../data/session.js'
import { ActionButton } from '../../ui/action-button.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { consumers } from './kind.js'
import { LinkDevice } from './link-device.js'
import { PartsOfConsumer } from './parts.js'
import { strings } from './strings.js'

export function Page() {
  const { client, mayEdit } = useSession()
  return (
    <RecordPage
      kind={consumers}
      actions={({ _id }) =>
        mayEdit && (
          <>
            <LinkDevice consumerId={_id} />
            <ActionButton
              icon="out"
              run={() => client.consumers.endSessions(_id)}
              done={strings.sessionsEnded}
              failed={strings.sessionsNotEnded}
              stale={[['consumer-parts']]}
            >
              {strings.endSessions}
            </ActionButton>
          </>
        )
      }
    >
      {({ _id }) => <PartsOfConsumer id={_id} />}
    </RecordPage>
  )
}
