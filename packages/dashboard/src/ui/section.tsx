import { Group, Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionProps {
  /** Its heading, and its name for those who hear the page. */
  readonly title?: string
  readonly about?: string
  /** Buttons beside the heading. */
  readonly actions?: ReactNode
  /** For sections that stand beside each other: a smaller heading. */
  readonly isCard?: boolean
  readonly children: ReactNode
}

/** A part of a page, in a frame of its own. */
export const Section = ({ title, about, actions, isCard = false, children }: SectionProps) => (
  <Paper withBorder p="lg" component="section" aria-label={title}>
    {(title || actions) && (
      <Group justify="space-between" gap="xs" mb={about ? 0 : isCard ? 'sm' : 'md'}>
        {title && (
          <Title order={2} size={isCard ? 'h5' : 'h4'}>
            {title}
          </Title>
        )}
        {actions}
      </Group>
    )}
    {about && (
      <Text c="dimmed" size="sm" mb="md">
        {about}
      </Text>
    )}
    {children}
  </Paper>
)
