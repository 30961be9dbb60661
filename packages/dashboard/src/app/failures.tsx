import { Anchor, Button, Center, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageLayout } from '../ui/page.js'
import { strings } from './strings.js'

interface MessageProps {
  readonly title: string
  readonly about: string
  readonly children?: ReactNode
}

/** A page that shows a single message. */
export function Message({ title, about, children }: MessageProps) {
  return (
    <Center component="section" mih="60vh" p="md">
      <Stack align="center" maw="32rem" gap="sm" ta="center">
        <Title order={1} size="h2">
          {title}
        </Title>
        <Text c="dimmed">{about}</Text>
        {children}
      </Stack>
    </Center>
  )
}

export function NotFound() {
  const { title, about, back } = strings.notFound
  return (
    <PageLayout title={title} about={about}>
      <Anchor component={Link} to="/">
        {back}
      </Anchor>
    </PageLayout>
  )
}

/** Shown when a page throws or its file cannot be loaded, for example because the server was updated. */
export function Broken({ error }: { readonly error: unknown }) {
  const isGone = error instanceof TypeError && /import|module/i.test(error.message)
  const { title, about } = isGone ? strings.gone : strings.broken
  return (
    <Message title={title} about={about}>
      <Button onClick={() => window.location.reload()}>{strings.broken.again}</Button>
    </Message>
  )
}
