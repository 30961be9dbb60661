import { Center, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Logo } from './logo.js'

interface SheetProps {
  readonly title: string
  readonly about: string
  readonly children?: ReactNode
}

/** A page for people who are not signed in, with its content in the middle. */
export const Sheet = ({ title, about, children }: SheetProps) => (
  <Center component="main" mih="100dvh" p="md">
    <Paper withBorder shadow="sm" p="xl" w="100%" maw="24rem">
      <Stack>
        <Stack gap={4} align="center" ta="center">
          <Logo size={44} />
          <Title order={1} size="h3" mt="xs">
            {title}
          </Title>
          <Text c="dimmed" size="sm">
            {about}
          </Text>
        </Stack>
        {children}
      </Stack>
    </Paper>
  </Center>
)
