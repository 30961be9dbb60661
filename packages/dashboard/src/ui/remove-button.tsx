import { Button, type ButtonProps, Group, Text } from '@mantine/core'
import type { CallOptions } from '@zoetrope/sdk'
import { ActionButton } from './action-button.js'
import { DialogButton } from './form-dialog.js'
import type { IconName } from './icons.js'
import { strings } from './strings.js'
import { useUndoable } from './use-undoable.js'

interface RemoveButtonProps extends Pick<ButtonProps, 'size'> {
  readonly label: string
  readonly 'aria-label'?: string
  readonly icon?: IconName
  /** The question in the confirmation, and the consequences. */
  readonly question: string
  readonly about: string
  /** If it passes the options on to the API, the success is reported with an undo. */
  readonly run: (options: CallOptions) => Promise<unknown>
  readonly done: string
  readonly failed: string
  /** The keys of queries to refetch afterwards. */
  readonly stale: readonly (readonly unknown[])[]
}

/** A button that deletes something, after a confirmation. */
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
          <Confirm {...{ label, run, done, failed, stale }} />
        </Group>
      </>
    )}
  </DialogButton>
)

type ConfirmProps = Pick<RemoveButtonProps, 'label' | 'run' | 'done' | 'failed' | 'stale'>

function Confirm({ label, run, done, failed, stale }: ConfirmProps) {
  const report = useUndoable()
  return (
    <ActionButton variant="filled" color="red" run={() => report(done, run)} failed={failed} stale={stale}>
      {label}
    </ActionButton>
  )
}
