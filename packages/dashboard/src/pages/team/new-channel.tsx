import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionKey, useSession } from '../../data/session.js'
import { DialogButton, QuickForm } from '../../ui/form-dialog.js'
import { sayDone } from '../../ui/notices.js'
import { strings } from './strings.js'

/** Creates a channel. The user who creates it becomes its owner. */
export const NewChannel = () => (
  <DialogButton label={strings.channel}>{(close) => <ChannelForm onMade={close} />}</DialogButton>
)

function ChannelForm({ onMade }: { onMade(): void }) {
  const { publisher } = useSession()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  return (
    <QuickForm
      about={strings.channelAbout}
      label={strings.channelCreate}
      send={() => publisher.createChannel(name)}
      onSent={async () => {
        sayDone(strings.channelMade)
        onMade()
        await queries.invalidateQueries({ queryKey: sessionKey })
      }}
    >
      {(problem) => (
        <TextInput
          label={strings.channelName}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problem}
          required
          data-autofocus
        />
      )}
    </QuickForm>
  )
}
