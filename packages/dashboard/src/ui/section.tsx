import { Group, Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionProps {
  /** The heading, which is also the accessible name. */
  readonly title?: string
  readonly about?: string
  /** Buttons beside the heading. */
  readonly actions?: ReactNode
  /** Uses a smaller heading, for sections side by side. */
  readonly isCard?: boolean
  readonly children: ReactNode
}

/** A framed section of a page. */
export const Section = ({ title, about, actions, isCard = false, children }: SectionProps) => (
  <Paper withBorder p="lg" component="section" aria-label={title}>
    {(title || actions) && (
      <Group justify="space-between" gap="xs" mb={about ? (actions ? 'xs' : 0) : isCard ? 'sm' : 'md'}>
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
