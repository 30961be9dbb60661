import { Anchor, Box, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'

interface PageLayoutProps {
  readonly title: string
  readonly about?: string
  /** The parent pages. */
  readonly parents?: readonly { readonly label: string; readonly to: string }[]
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
  readonly maw?: string
}

/** Whether anybody has used the dashboard since it was loaded. */
let isInUse = false
for (const input of ['keydown', 'pointerdown'])
  addEventListener(
    input,
    () => {
      isInUse = true
    },
    { once: true, capture: true },
  )

/** The layout of a page: title, actions and content. */
export function PageLayout({ title, about, parents, actions, children, maw }: PageLayoutProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Zoetrope`
  }, [title])
  useEffect(() => {
    // Moves the focus to the heading for users of keyboards and screen readers, unless an element already has it. A
    // page that was just opened begins at its top, with the skip link.
    if (isInUse && document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <Stack gap="lg" maw={maw}>
      <Box>
        {parents && (
          <Breadcrumbs mb={4}>
            {parents.map(({ label, to }) => (
              <Anchor key={to} component={Link} to={to} size="sm">
                {label}
              </Anchor>
            ))}
          </Breadcrumbs>
        )}
        <Group justify="space-between" align="flex-start" gap="sm">
          <Box flex="1 1 16rem" miw={0}>
            <Title order={1} size="h2" ref={heading} tabIndex={-1}>
              {title}
            </Title>
            {about && (
              <Text c="dimmed" mt={4}>
                {about}
              </Text>
            )}
          </Box>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      </Box>
      {children}
    </Stack>
  )
}
