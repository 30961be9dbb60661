import { RecordPage } from '../../ui/record-pages/record-page.js'
import { audienceRules } from './kind.js'
import { ProfileRules } from './profile-rules.js'

export const Page = () => (
  <RecordPage kind={audienceRules}>{(record) => <ProfileRules profile={record} />}</RecordPage>
)
