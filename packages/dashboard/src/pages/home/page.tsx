import { Text } from '@mantine/core'
import { useSession } from '../../data/session.js'
import { PageLayout } from '../../ui/page.js'
import { strings } from './strings.js'

export function Page() {
  const { channel } = useSession()
  return (
    <PageLayout title={strings.title}>
      <Text>{strings.welcome(channel.name)}</Text>
    </PageLayout>
  )
}
