import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../../data/session.js'
import { type RecordKind, recordKey } from '../../ui/record-pages/record-kind.js'
import { Loaded } from '../../ui/states.js'
import { kindOf } from './kind.js'

/** What the address names as the kind of the objects. */
export function WithType({ children }: { readonly children: (kind: RecordKind) => ReactNode }) {
  const { type = '' } = useParams({ strict: false }) as { type?: string }
  const { client, channel } = useSession()
  const query = useQuery({
    queryKey: recordKey({ name: 'zobject_types' }, channel._id, type),
    queryFn: ({ signal }) => client.zobject_types.get(type, { signal }),
    select: kindOf,
  })
  return <Loaded query={query}>{children}</Loaded>
}
