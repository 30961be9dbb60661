import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../../data/session.js'
import { LoadedPage } from '../../ui/loaded-page.js'
import { type RecordKind, recordKey } from '../../ui/record-pages/record-kind.js'
import { strings } from '../zobject-types/strings.js'
import { kindOf } from './kind.js'

const parent = { label: strings.title, to: '/zobject-types' }

/** What the address names as the kind of the objects. */
export function WithType({ children }: { readonly children: (kind: RecordKind) => ReactNode }) {
  const { type = '' } = useParams({ strict: false }) as { type?: string }
  const { client, channel } = useSession()
  const query = useQuery({
    queryKey: recordKey({ name: 'zobject_types' }, channel._id, type),
    queryFn: ({ signal }) => client.zobject_types.get(type, { signal }),
    select: kindOf,
  })
  return (
    <LoadedPage query={query} parent={parent}>
      {children}
    </LoadedPage>
  )
}
