import { TextInput, type TextInputProps } from '@mantine/core'
import { strings } from './strings.js'

interface EmailInputProps extends Pick<TextInputProps, 'description' | 'autoFocus' | 'onFocus'> {
  readonly value: string
  onChange(email: string): void
}

/** The e-mail address of an account. Password managers know it as its name. */
export const EmailInput = ({ onChange, ...props }: EmailInputProps) => (
  <TextInput
    label={strings.email}
    type="email"
    name="email"
    onChange={(event) => onChange(event.currentTarget.value)}
    autoComplete="username"
    required
    withAsterisk={false}
    {...props}
  />
)
