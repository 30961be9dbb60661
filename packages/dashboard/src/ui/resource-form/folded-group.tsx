import { Box, Group, Paper, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { Fold } from '../fold.js'
import { strings } from '../strings.js'

interface FoldedGroupProps {
  readonly title: string
  readonly about: string | undefined
  /** How many of its fields have a value. */
  readonly filled: number
  /** How many of its fields have a problem. */
  readonly problems: number
  readonly isOpen: boolean
  /** The user opens or folds it, perhaps by the browser's search, which looks into folded groups too. */
  onChoose(isOpen: boolean): void
  /** Opens it because of a problem. */
  onProblem(): void
  readonly children: ReactNode
}

/** A group of fields that is one line until somebody opens it. */
export function FoldedGroup(props: FoldedGroupProps) {
  const { title, about, filled, problems, isOpen, onChoose, onProblem, children } = props
  const show = useEffectEvent(onProblem)
  useEffect(() => {
    if (problems > 0) show()
  }, [problems])
  return (
    <Paper withBorder component="section" aria-label={title}>
      <Fold
        isOpen={isOpen}
        onChoose={onChoose}
        summary={
          <Group justify="space-between" gap="xs" flex={1}>
            <Title order={2} size="h5">
              {title}
            </Title>
            {problems > 0 ? (
              <Text component="span" size="sm" c="var(--mantine-color-error)">
                {strings.withProblems(problems)}
              </Text>
            ) : (
              <Text component="span" size="sm" c="dimmed">
                {strings.filled(filled)}
              </Text>
            )}
          </Group>
        }
      >
        <Box px="lg" pb="lg">
          {about && (
            <Text c="dimmed" size="sm" mb="md">
              {about}
            </Text>
          )}
          {children}
        </Box>
      </Fold>
    </Paper>
  )
}
