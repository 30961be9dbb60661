import { Button, type ButtonProps, Group, Text } from '@mantine/core'
import { ActionButton } from './action-button.js'
import { DialogButton } from './form-dialog.js'
import type { IconName } from './icons.js'
import { strings } from './strings.js'

interface RemoveButtonProps extends Pick<ButtonProps, 'size'> {
  readonly label: string
  readonly 'aria-label'?: string
  readonly icon?: IconName
  /** The question in the confirmation, and the consequences. */
  readonly question: string
  readonly about: string
  readonly run: () => Promise<unknown>
  readonly done: string
  readonly failed: string
  /** The keys of queries to refetch afterwards. */
  readonly stale: readonly (readonly unknown[])[]
}

/** A button that deletes something for good, after a confirmation. */
export const RemoveButton = ({
  label,
  question,
  about,
  run,
  done,
  failed,
  stale,
  ...rest
}: RemoveButtonProps) => (
  <DialogButton label={label} title={question} {...rest}>
    {(close) => (
      <>
        <Text>{about}</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close} data-autofocus>
            {strings.cancel}
          </Button>
          <ActionButton variant="filled" color="red" run={run} done={done} failed={failed} stale={stale}>
            {label}
          </ActionButton>
        </Group>
      </>
    )}
  </DialogButton>
)
