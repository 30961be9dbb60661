export const strings = {
  title: 'Choose a new password',
  about: 'At least 8 characters. All your other sessions will end.',
  save: 'Save the password',
  done: 'Your password is changed. Sign in with it now.',
  toSignIn: 'Go to sign-in',
} as const
