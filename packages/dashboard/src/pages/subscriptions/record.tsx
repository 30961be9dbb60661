import { useSession } from '../../data/session.js'
import { ActionButton } from '../../ui/action-button.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { subscriptions } from './kind.js'
import { strings } from './strings.js'

const stale = [['subscriptions'], ['consumers']]

export function Page() {
  const { client, mayEdit } = useSession()
  return (
    <RecordPage
      kind={subscriptions}
      actions={({ _id, status }) =>
        mayEdit &&
        (status === 'active' ? (
          <ActionButton
            run={() => client.subscriptions.cancel(_id)}
            done={strings.cancelled}
            failed={strings.notChanged}
            stale={stale}
          >
            {strings.cancel}
          </ActionButton>
        ) : (
          <ActionButton
            run={() => client.subscriptions.reactivate(_id)}
            done={strings.reactivated}
            failed={strings.notChanged}
            stale={stale}
          >
            {strings.reactivate}
          </ActionButton>
        ))
      }
    />
  )
}
