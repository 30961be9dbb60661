import { Alert, Button, Center, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ZoetropeError } from '@zoetrope/sdk'
import { type ReactNode, useEffect, useRef } from 'react'
import { keyOf } from '../data/keys.js'
import { useSession } from '../data/session.js'
import { isUnreachable } from '../data/unreachable.js'
import { Icon, type IconName } from './icons.js'
import { strings } from './strings.js'

/** A placeholder while something loads. */
export function Waiting({ rows = 6 }: { readonly rows?: number }) {
  const lines = Array.from({ length: rows }, (_, index) => index)
  return (
    <Stack role="status" aria-label={strings.waiting} gap="sm">
      {lines.map((line) => (
        <Skeleton key={line} height={line === 0 ? 36 : 44} width={line === 0 ? '40%' : '100%'} />
      ))}
    </Stack>
  )
}

interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  readonly about?: string
  /** Actions. */
  readonly children?: ReactNode
}

/** Shown when there is nothing yet: what would be here, and how to begin. */
export const Empty = ({ icon, title, about, children }: EmptyProps) => (
  <Paper withBorder p="xl">
    <Center>
      <Stack align="center" gap="xs" maw="28rem" ta="center" py="lg">
        <Text c="dimmed" component="div">
          <Icon name={icon} size={40} />
        </Text>
        <Title order={2} size="h4">
          {title}
        </Title>
        {about && <Text c="dimmed">{about}</Text>}
        {children && <Group mt="sm">{children}</Group>}
      </Stack>
    </Center>
  </Paper>
)

/** Shown instead of a page that the role does not allow, with the people to ask. */
export function Refused() {
  const { publisher, channel } = useSession()
  const owners = useQuery({
    queryKey: keyOf('owners', channel._id),
    queryFn: ({ signal }) => publisher.owners({ signal }),
    staleTime: 5 * 60_000,
  })
  const names = owners.data?.map(({ name }) => name) ?? []
  return (
    <Empty
      icon="lock"
      title={strings.refused(strings.roles[channel.role])}
      about={strings.refusedAbout(names)}
    />
  )
}

const isRefusal = (error: unknown) =>
  error instanceof ZoetropeError && error.status === 403 && error.code === 'forbidden'

interface FailedProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

/** The server's error message, with a button to try again. */
export function Failed({ error, onRetry }: FailedProps) {
  useRetries(error, onRetry)
  if (isRefusal(error)) return <Refused />
  const { title, about, requestId } = explain(error)
  return (
    <Alert color="red" variant="light" title={title} icon={<Icon name="warning" />} role="alert" maw="44rem">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{onRetry && isUnreachable(error) ? strings.goesOnAbout : about}</Text>
        {requestId && (
          <Text size="xs" c="dimmed">
            {strings.requestId(requestId)}
          </Text>
        )}
        {onRetry && (
          <Button size="xs" variant="default" leftSection={<Icon name="again" size={14} />} onClick={onRetry}>
            {strings.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

const retryMs = 3000

/** Retries while the server cannot be reached, so that the page recovers without a click. */
function useRetries(error: unknown, onRetry: (() => void) | undefined): void {
  const latest = useRef(onRetry)
  latest.current = onRetry
  const isWaiting = isUnreachable(error) && onRetry !== undefined
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => latest.current?.(), retryMs)
    return () => clearInterval(timer)
  }, [isWaiting])
}

/** Describes an error in words. */
export function explain(error: unknown): { title: string; about: string; requestId?: string } {
  if (!(error instanceof ZoetropeError))
    return { title: strings.failed, about: error instanceof Error ? error.message : String(error) }
  if (error.status === 0) return { title: strings.failedOffline, about: strings.failedOfflineAbout }
  return { title: strings.failed, about: error.message, requestId: error.requestId }
}

export interface Loadable<T> {
  readonly data: T | undefined
  readonly error: unknown
  readonly refetch: () => unknown
}

/** Shows the data of a query, or that it is loading or has failed. Old data stays when a refetch fails. */
export function Loaded<T>({
  query,
  waiting = <Waiting />,
  children,
}: {
  readonly query: Loadable<T>
  readonly waiting?: ReactNode
  readonly children: (data: T) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Failed error={query.error} onRetry={() => void query.refetch()} />
  return waiting
}
