import { useQueryClient } from '@tanstack/react-query'
import { catalog } from '@zoetrope/contract'
import { useAccount } from '../../data/account.js'
import { sessionKey, useSession } from '../../data/session.js'
import { PageLayout } from '../../ui/page.js'
import { ResourceForm } from '../../ui/resource-form/resource-form.js'
import { Loaded } from '../../ui/states.js'
import { DangerZone } from './danger-zone.js'
import { strings } from './strings.js'

const groups = [
  { title: strings.general, fields: ['title', 'support_url', 'logo_url', 'brand_color'] },
  { title: strings.domains, about: strings.domainsAbout, fields: ['embed_domains'] },
  { title: strings.api, about: strings.apiAbout, fields: ['first_page'] },
  { title: strings.viewers, fields: ['verify_email', 'reset_password_url', 'respect_do_not_track'] },
  { title: strings.films, fields: ['hls_encryption', 'playlist_bundle_enabled', 'theoplayer_version'] },
]

/** The channel's own settings, and the ways to end it. */
export function Page() {
  const { client, channel, mayEdit, isOwner } = useSession()
  const queries = useQueryClient()
  const account = useAccount()
  return (
    <PageLayout title={strings.title} about={strings.about} maw="52rem">
      <Loaded query={account}>
        {(record) => (
          <ResourceForm
            resource={catalog.account}
            record={record}
            groups={groups}
            isDisabled={!mayEdit}
            save={(changes) => client.account.update(changes)}
            onSaved={(saved) => {
              queries.setQueryData(['account', channel._id], saved)
              void queries.invalidateQueries({ queryKey: sessionKey })
            }}
          />
        )}
      </Loaded>
      {isOwner && <DangerZone />}
    </PageLayout>
  )
}
