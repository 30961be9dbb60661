import { catalog } from '@zoetrope/contract'
import { consumerWords } from '@zoetrope/contract/words/consumers'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { ActionButton } from '../../ui/action-button.js'
import { ListPage } from '../../ui/record-pages/list-page.js'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { LinkDevice } from './link-device.js'
import { PartsOfConsumer } from './parts.js'
import { strings } from './strings.js'

const consumers: RecordKind<keyof typeof consumerWords> = {
  name: 'consumers',
  resource: catalog.consumers,
  words: consumerWords,
  newWords: { password: { ...consumerWords.password, help: strings.newPassword } },
  path: '/consumers',
  icon: 'users',
  strings,
  titleOf: ({ name, email }) => String(name || email),
  columns: [
    'email',
    { field: 'name' },
    { field: 'subscription_count', isOnPhone: true },
    'current_sign_in_at',
    'created_at',
  ],
  filters: ['terms', 'updates'],
  groups: [
    { title: strings.person, fields: ['email', 'name', 'password', 'birthday', 'sex', 'terms', 'updates'] },
    { title: strings.access, fields: ['super_watcher'] },
    { title: strings.parental, fields: ['parental_access_code', 'parental_access_rating'] },
    { title: strings.billing, fields: ['stripe_id', 'braintree_id', 'recurly_code'] },
    { title: strings.own, fields: ['custom'] },
  ],
}

export const List = () => <ListPage kind={consumers} />

export function Record() {
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
              stale={[keyOf('consumer-parts')]}
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
