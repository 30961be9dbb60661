import { Alert, Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type PublisherSession, ZoetropeError } from '@zoetrope/sdk'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { visitor } from '../../data/api.js'
import { providerAddress, useSignInMethods } from '../../data/sign-in-methods.js'
import { EmailInput } from '../../ui/email-input.js'
import { explain } from '../../ui/states.js'
import { Forgotten } from './forgotten.js'
import { strings } from './strings.js'

const wantsCode = (error: unknown) => error instanceof ZoetropeError && error.code === 'totp_required'

interface SignInFormProps {
  /** The initial e-mail address. */
  readonly email?: string
  /** Shown above the inputs. It differs while the form asks for the code. */
  readonly heading: (needsCode: boolean) => ReactNode
  /** Shown below the button until the first publisher has signed in. */
  readonly hint?: string
  onSignedIn(session: PublisherSession): void
}

/** Offers the ways to sign in that the server has. */
export function SignInForm(props: SignInFormProps) {
  const { data, isPending } = useSignInMethods()
  const [forgottenBy, setForgottenBy] = useState<string>()
  if (isPending) return <Stack>{props.heading(false)}</Stack>
  const { provider = null, passwords = true, mail = false, is_new = false } = data ?? {}
  if (forgottenBy !== undefined)
    return <Forgotten email={forgottenBy} canMail={mail} onBack={() => setForgottenBy(undefined)} />
  return (
    <Stack>
      {passwords ? (
        <PasswordForm {...props} isNew={is_new} onForgotten={setForgottenBy} />
      ) : (
        props.heading(false)
      )}
      {provider && passwords && <Divider label={strings.or} />}
      {provider && (
        <Button
          component="a"
          href={providerAddress(false)}
          variant={passwords ? 'default' : 'filled'}
          fullWidth
        >
          {strings.continueWith(provider)}
        </Button>
      )}
    </Stack>
  )
}

/** Asks for the e-mail address and password, then for the code if the user has a second factor. */
function PasswordForm({
  email: known = '',
  heading,
  hint,
  isNew,
  onSignedIn,
  onForgotten,
}: SignInFormProps & { readonly isNew: boolean; onForgotten(email: string): void }) {
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const [totp, setTotp] = useState('')
  const signIn = useMutation({
    mutationFn: (hasCode: boolean) => visitor.signIn({ email, password, ...(hasCode ? { totp } : {}) }),
    onSuccess: onSignedIn,
    onError: (error) => {
      if (wantsCode(error)) setNeedsCode(true)
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    signIn.mutate(needsCode)
  }
  const startOver = () => {
    setNeedsCode(false)
    setTotp('')
    setPassword('')
    signIn.reset()
  }
  // A request for the code is not an error, but a wrong code is.
  const isAsked = wantsCode(signIn.error) && !signIn.variables
  const problem = signIn.error && !isAsked ? explain(signIn.error).about : undefined
  return (
    <Stack component="form" onSubmit={submit} {...{ method: 'post' }}>
      {heading(needsCode)}
      {problem && (
        <Alert color="red" variant="light" role="alert">
          {problem}
        </Alert>
      )}
      {needsCode ? (
        <TextInput
          key="code"
          label={strings.code}
          value={totp}
          onChange={(event) => setTotp(event.currentTarget.value)}
          autoComplete="one-time-code"
          autoFocus
          required
          withAsterisk={false}
        />
      ) : (
        <>
          <EmailInput value={email} onChange={setEmail} autoFocus={known === ''} />
          <PasswordInput
            label={strings.password}
            name="password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="current-password"
            autoFocus={known !== ''}
            data-autofocus
            required
            withAsterisk={false}
          />
        </>
      )}
      <Button type="submit" loading={signIn.isPending} fullWidth>
        {needsCode ? strings.verify : strings.submit}
      </Button>
      {needsCode && (
        <Anchor component="button" type="button" size="sm" ta="center" onClick={startOver}>
          {strings.back}
        </Anchor>
      )}
      {!needsCode && (
        <Anchor component="button" type="button" size="sm" ta="center" onClick={() => onForgotten(email)}>
          {strings.forgotten}
        </Anchor>
      )}
      {!needsCode && isNew && hint && (
        <Text size="xs" c="dimmed" ta="center">
          {hint}
        </Text>
      )}
    </Stack>
  )
}
