import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { PublisherSession } from '@zoetrope/sdk'
import { endedSession } from '../../data/ended-session.js'
import { sessionKey } from '../../data/session.js'
import { Dialog } from '../../ui/form-dialog.js'
import { SignInForm } from './form.js'
import { strings } from './strings.js'

interface SignInAgainProps {
  readonly email: string
  readonly isAsked: boolean
}

/**
 * A sign-in dialog over the page on which the session ended, so that the page keeps its state. If the user postpones
 * it, a notice at the top of the page offers it again.
 */
export function SignInAgain({ email, isAsked }: SignInAgainProps) {
  const queries = useQueryClient()
  const goOn = (session: PublisherSession) => {
    queries.setQueryData(sessionKey, session)
    endedSession.renewed()
    void queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' })
  }
  return (
    <Dialog title={strings.ended} isOpen={isAsked} onClose={endedSession.putOff}>
      <SignInForm
        email={email}
        heading={(needsCode) => <Text>{needsCode ? strings.codeAbout : strings.endedAbout}</Text>}
        onSignedIn={goOn}
      />
    </Dialog>
  )
}
