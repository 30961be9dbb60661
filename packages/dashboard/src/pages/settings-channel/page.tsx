import { useSession } from '../../data/session.js'
import { type AccountGroups, AccountPage } from '../../ui/account-page.js'
import { DangerZone } from './danger-zone.js'
import { strings } from './strings.js'

const groups: AccountGroups = [
  { title: strings.general, fields: ['title', 'support_url', 'logo_url', 'brand_color'] },
  { title: strings.domains, about: strings.domainsAbout, fields: ['embed_domains'] },
  { title: strings.api, about: strings.apiAbout, fields: ['first_page'] },
  {
    title: strings.viewers,
    fields: [
      'sign_in_url',
      'subscribe_url',
      'purchase_url',
      'verify_email',
      'reset_password_url',
      'respect_do_not_track',
    ],
  },
  {
    title: strings.films,
    fields: ['hls_encryption', 'shared_segments', 'playlist_bundle_enabled', 'theoplayer_version'],
  },
]

/** The channel's settings, and its danger zone. */
export function Page() {
  const { may } = useSession()
  return (
    <AccountPage title={strings.title} about={strings.about} groups={groups}>
      {may('channel') && <DangerZone />}
    </AccountPage>
  )
}
