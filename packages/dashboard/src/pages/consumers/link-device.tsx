import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { DialogButton, QuickForm } from '../../ui/form-dialog.js'
import { sayDone } from '../../ui/notices.js'
import { strings } from './strings.js'

interface LinkDeviceProps {
  readonly consumerId: string
}

/** Links the device that shows a PIN to the consumer, for support by telephone. */
export const LinkDevice = ({ consumerId }: LinkDeviceProps) => (
  <DialogButton label={strings.link} icon="link">
    {(close) => <PinForm consumerId={consumerId} onLinked={close} />}
  </DialogButton>
)

function PinForm({ consumerId, onLinked }: LinkDeviceProps & { onLinked(): void }) {
  const [pin, setPin] = useState('')
  const { client } = useSession()
  const queries = useQueryClient()
  return (
    <QuickForm
      about={strings.linkAbout}
      label={strings.linkNow}
      send={() => client.pin.link({ consumer_id: consumerId, pin })}
      onSent={async () => {
        sayDone(strings.linked)
        onLinked()
        await queries.invalidateQueries({ queryKey: keyOf('consumer-parts') })
      }}
    >
      {(problem) => (
        <TextInput
          label={strings.pin}
          value={pin}
          onChange={(event) => setPin(event.currentTarget.value)}
          error={problem}
          autoComplete="off"
          data-autofocus
          required
        />
      )}
    </QuickForm>
  )
}
