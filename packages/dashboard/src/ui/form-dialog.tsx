import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { createContext, type ReactNode, type Ref, type SubmitEvent, useContext } from 'react'
import { GivenUp } from '../data/given-up.js'
import { Icon, type IconName } from './icons.js'
import { explain } from './states.js'
import { strings } from './strings.js'
import { useEscape } from './use-escape.js'

interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  onClose(): void
  readonly isWide?: boolean
  /** An operation is running, so the dialog cannot be closed yet. */
  readonly isBusy?: boolean
  readonly children: ReactNode
}

/** Focuses the first field of a dialog, unless another element is marked. */
function beginInField(content: HTMLElement | null): void {
  if (content?.querySelector('[data-autofocus]')) return
  content?.querySelector('input, select, textarea')?.setAttribute('data-autofocus', 'true')
}

/** Closes the dialog that something is in. */
const CloseContext = createContext<(() => void) | undefined>(undefined)

/** A modal dialog. */
export function Dialog({ title, isOpen, onClose, isWide = false, isBusy = false, children }: DialogProps) {
  const close = () => {
    if (!isBusy) onClose()
  }
  useEscape(isOpen, close)
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      withCloseButton={!isBusy}
      title={title}
      size={isWide ? 'lg' : 'md'}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': strings.close }}
    >
      <CloseContext value={close}>
        <div ref={beginInField}>{children}</div>
      </CloseContext>
    </Modal>
  )
}

interface DialogButtonProps extends Omit<ButtonProps, 'children'> {
  readonly ref?: Ref<HTMLButtonElement>
  readonly label: string
  readonly 'aria-label'?: string
  readonly icon?: IconName
  /** The title of the dialog, if it differs from the button's label. */
  readonly title?: string
  readonly isWide?: boolean
  readonly children: (close: () => void) => ReactNode
}

/** A button that opens a dialog. */
export function DialogButton({ label, icon, title = label, isWide, children, ...rest }: DialogButtonProps) {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button
        variant="default"
        leftSection={icon && <Icon name={icon} />}
        aria-haspopup="dialog"
        onClick={open}
        {...rest}
      >
        {label}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={close} isWide={isWide}>
        {children(close)}
      </Dialog>
    </>
  )
}

interface QuickFormProps<T> {
  readonly about?: string
  /** The label of the submit button. */
  readonly label: string
  readonly variant?: ButtonProps['variant']
  readonly send: () => Promise<T>
  readonly onSent: (answer: T) => unknown
  /** The inputs. Receives the server's error message. */
  readonly children: (problem: string | undefined) => ReactNode
}

/** A short form that shows the server's error message. In a dialog it can be cancelled. */
export function QuickForm<T>({ about, label, variant, send, onSent, children }: QuickFormProps<T>) {
  const sending = useMutation({ mutationFn: send, onSuccess: onSent })
  const close = useContext(CloseContext)
  const hasFailed = sending.error !== null && !(sending.error instanceof GivenUp)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    sending.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {about && <Text>{about}</Text>}
        {children(hasFailed ? explain(sending.error).about : undefined)}
        <Group justify="flex-end">
          {close && (
            <Button variant="default" onClick={close}>
              {strings.cancel}
            </Button>
          )}
          <Button type="submit" variant={variant} loading={sending.isPending}>
            {label}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
