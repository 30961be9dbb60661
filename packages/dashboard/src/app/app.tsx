import { MantineProvider } from '@mantine/core'
import type { NotificationsProps } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import { createPageRouter } from './router.js'
import { readable, theme } from './theme.js'

/** Loads after the first page, which works even if this fails. */
const Notifications = lazy<ComponentType<NotificationsProps>>(() =>
  import('@mantine/notifications').then(
    ({ Notifications: Notices }) => ({ default: Notices }),
    () => ({ default: () => null }),
  ),
)

/** The cache that all pages share. Queries do not retry, because the SDK retries safe requests itself. */
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: true },
    mutations: { retry: false, networkMode: 'always' },
  },
})
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
          <Notifications position="bottom-left" containerWidth={400} />
        </Suspense>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
