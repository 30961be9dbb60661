import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { catalog } from '@zoetrope/contract'
import { useSession } from '../../data/session.js'
import { PageLayout } from '../../ui/page.js'
import { ResourceForm } from '../../ui/resource-form/resource-form.js'
import { Loaded } from '../../ui/states.js'
import { strings } from './strings.js'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { client, channel, mayEdit } = useSession()
  const queries = useQueryClient()
  const queryKey = ['video', channel._id, id]
  const video = useQuery({ queryKey, queryFn: ({ signal }) => client.videos.get(id, { signal }) })
  return (
    <Loaded query={video}>
      {(record) => (
        <PageLayout title={record.title} parents={[{ label: strings.parent, to: '/videos' }]} maw="52rem">
          <ResourceForm
            resource={catalog.videos}
            record={record}
            isDisabled={!mayEdit}
            save={(changes) => client.videos.update(id, changes)}
            onSaved={(saved) => queries.setQueryData(queryKey, saved)}
          />
        </PageLayout>
      )}
    </Loaded>
  )
}
