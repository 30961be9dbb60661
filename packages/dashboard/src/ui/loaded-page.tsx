import type { ReactNode } from 'react'
import { PageLayout } from './page.js'
import { type Loadable, Loaded } from './states.js'

interface LoadedPageProps<T> {
  readonly query: Loadable<T>
  /** The parent page. */
  readonly parent: { readonly label: string; readonly to: string }
  readonly children: (data: T) => ReactNode
}

/** The page of one record. While it loads or if that fails, shows the parent's title and a link to it. */
export function LoadedPage<T>({ query, parent, children }: LoadedPageProps<T>) {
  if (query.data !== undefined) return children(query.data)
  return (
    <PageLayout title={parent.label} parents={[parent]}>
      <Loaded query={query}>{children}</Loaded>
    </PageLayout>
  )
}
