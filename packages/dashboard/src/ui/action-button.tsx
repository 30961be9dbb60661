import { Button, type ButtonProps } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons.js'
import { sayDone, sayFailed } from './notices.js'

interface ActionButtonProps extends ButtonProps {
  readonly 'aria-label'?: string
  readonly icon?: IconName
  readonly run: () => Promise<unknown>
  /** What is told then; nothing where `run` tells it. */
  readonly done?: string
  readonly failed: string
  /** What is fetched again afterwards. */
  readonly stale: readonly (readonly unknown[])[]
  readonly children: ReactNode
}

/** Does one thing when pressed, and tells what became of it. */
export function ActionButton({ icon, run, done, failed, stale, children, ...rest }: ActionButtonProps) {
  const queries = useQueryClient()
  const doing = useMutation({
    mutationFn: run,
    onSuccess: async () => {
      if (done) sayDone(done)
      await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })))
    },
    onError: (error) => sayFailed(failed, error),
  })
  return (
    <Button
      variant="default"
      leftSection={icon && <Icon name={icon} />}
      loading={doing.isPending}
      onClick={() => doing.mutate()}
      {...rest}
    >
      {children}
    </Button>
  )
}
