import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createQueries } from '../data/queries.js'
import { createPageRouter } from './router.js'
import { readable, theme } from './theme.js'

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
        <Notifications position="top-center" containerWidth={380} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
