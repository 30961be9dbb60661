import { Alert } from '@mantine/core'
import { useSession } from '../../data/session.js'
import { PageLayout } from '../../ui/page.js'
import { ListPage } from '../../ui/record-pages/list-page.js'
import { apps } from './kind.js'
import { strings } from './strings.js'

export function Page() {
  const { isOwner } = useSession()
  if (isOwner) return <ListPage kind={apps} />
  return (
    <PageLayout title={strings.title} about={strings.about}>
      <Alert variant="light">{strings.ownersOnly}</Alert>
    </PageLayout>
  )
}
