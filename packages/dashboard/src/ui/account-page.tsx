import { useQueryClient } from '@tanstack/react-query'
import { catalog } from '@zoetrope/contract'
import { accountWords } from '@zoetrope/contract/words/account'
import type { ReactNode } from 'react'
import { useAccount } from '../data/account.js'
import { keyOf } from '../data/keys.js'
import type { Entry } from '../data/records.js'
import { sessionKey, useSession } from '../data/session.js'
import { PageLayout } from './page.js'
import type { FieldGroup } from './resource-form/form-groups.js'
import { ResourceForm } from './resource-form/resource-form.js'
import type { Values } from './resource-form/values.js'
import { Loaded } from './states.js'

export type AccountGroups = readonly FieldGroup<keyof typeof accountWords>[]

interface AccountPageProps {
  readonly title: string
  readonly about: string
  readonly groups: AccountGroups
  /** Shown above the fields: a preview of the unsaved settings. */
  readonly preview?: (values: Values, account: Entry<'account'>) => ReactNode
  /** Shown below the form. */
  readonly children?: ReactNode
}

/** A form for some of the channel's settings. */
export function AccountPage({ title, about, groups, preview, children }: AccountPageProps) {
  const { client, channel, may } = useSession()
  const queries = useQueryClient()
  const account = useAccount()
  return (
    <PageLayout title={title} about={about} maw="52rem">
      <Loaded query={account}>
        {(record) => (
          <ResourceForm
            resource={catalog.account}
            words={accountWords}
            record={record}
            read={(options) => client.account.get(options)}
            groups={groups}
            isDisabled={!may(['account', 'update'])}
            preview={preview && ((values) => preview(values, record))}
            save={(changes, options) => client.account.update(changes, options)}
            onSaved={(saved) => {
              queries.setQueryData(keyOf('account', channel._id, 'record'), saved)
              // The name of the channel may have changed.
              void queries.invalidateQueries({ queryKey: sessionKey })
            }}
          />
        )}
      </Loaded>
      {children}
    </PageLayout>
  )
}
