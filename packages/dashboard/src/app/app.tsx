import { MantineProvider } from '@mantine/core'
import type { NotificationsProps } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import { createQueries } from '../data/queries.js'
import { createPageRouter } from './router.js'
import { readable, theme } from './theme.js'

/** Nobody waits for notices to see the first page, nor goes without it because they did not come. */
const Notifications = lazy<ComponentType<NotificationsProps>>(() =>
  import('@mantine/notifications').then(
    ({ Notifications: Notices }) => ({ default: Notices }),
    () => ({ default: () => null }),
  ),
)

const queries = createQueries()
const router = createPageRouter()

export function App({ nonce }: { readonly nonce: string }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readable}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <Suspense>
          <Notifications position="top-center" containerWidth={380} />
        </Suspense>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
