import { Button, Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useSession } from '../data/session.js'
import { isUnderWay, uploadList } from '../data/upload-list.js'
import { Dialog } from './form-dialog.js'
import { sayFailed } from './notices.js'
import { strings } from './strings.js'
import { useLeave } from './use-leave.js'

interface SignOutProps {
  readonly where: 'here' | 'everywhere'
  readonly children: (signOut: () => void) => ReactNode
}

/** Signs out. Asks first if unsaved changes or uploads would be lost. */
export function SignOut({ where, children }: SignOutProps) {
  const { signOut } = useSession()
  const leave = useLeave()
  const [isAsked, setIsAsked] = useState(false)
  const stay = () => setIsAsked(false)
  const go = () => {
    stay()
    leave(() => signOut(where)).catch((error: unknown) => sayFailed(strings.signOut.failed, error))
  }
  return (
    <>
      {children(() => (uploadList.get().some(isUnderWay) ? setIsAsked(true) : go()))}
      <Dialog title={strings.signOut.uploads} isOpen={isAsked} onClose={stay}>
        <Text>{strings.signOut.uploadsAbout}</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={stay} data-autofocus>
            {strings.stay}
          </Button>
          <Button color="red" onClick={go}>
            {strings.signOut.stop}
          </Button>
        </Group>
      </Dialog>
    </>
  )
}
