import { Button, type ButtonProps } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icons.js'
import { sayDone, sayFailed } from './notices.js'

interface ActionButtonProps extends ButtonProps {
  readonly 'aria-label'?: string
  readonly icon?: IconName
  readonly run: () => Promise<unknown>
  /** The message on success. Leave it out if `run` shows its own. */
  readonly done?: string
  readonly failed: string
  /** The keys of queries to refetch afterwards. */
  readonly stale: readonly (readonly unknown[])[]
  readonly children: ReactNode
}

/** A button that runs an action and reports its result. */
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
