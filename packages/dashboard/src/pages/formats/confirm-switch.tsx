import { Button, Group, Stack, Text } from '@mantine/core'
import { Dialog } from '../../ui/form-dialog.js'
import { bytes, span } from '../../ui/numbers.js'
import type { Cost } from './costs.js'
import { strings } from './strings.js'

/**
 * Whether switching needs a confirmation: always when turning a format off, because viewers lose it, and when turning
 * it on takes storage.
 */
export const isAsked = (cost: Cost | undefined, isOn: boolean): boolean =>
  !isOn || (cost?.estimated_bytes ?? 0) > 0

interface ConfirmSwitchProps {
  readonly wish:
    | { readonly label: string; readonly isOn: boolean; readonly cost: Cost | undefined }
    | undefined
  onCancel(): void
  onConfirm(): void
}

/** Says what happens to the films before a format is switched. */
export function ConfirmSwitch({ wish, onCancel, onConfirm }: ConfirmSwitchProps) {
  const { label = '', isOn = false, cost } = wish ?? {}
  return (
    <Dialog
      title={isOn ? strings.turnOn(label) : strings.turnOff(label)}
      isOpen={wish !== undefined}
      onClose={onCancel}
    >
      <Stack>
        <Text>{isOn ? strings.turnOnAbout(cost?.estimated_films ?? 0) : strings.turnOffAbout(label)}</Text>
        {cost && <Text fw={500}>{isOn ? takes(cost) : frees(cost)}</Text>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} data-autofocus={isOn ? undefined : true}>
            {strings.cancel}
          </Button>
          <Button onClick={onConfirm} data-autofocus={isOn ? true : undefined}>
            {isOn ? strings.on : strings.off}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

const frees = ({ freed_bytes }: Cost): string =>
  freed_bytes === 0 ? strings.freesNothing : strings.frees(bytes(freed_bytes))

function takes({ estimated_bytes, estimated_encoding_seconds: seconds }: Cost): string {
  const size = bytes(estimated_bytes)
  return seconds === null ? strings.takes(size) : strings.takesTime(size, span(seconds))
}
