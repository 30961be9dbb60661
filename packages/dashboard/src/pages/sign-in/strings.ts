export const strings = {
  title: 'Sign in',
  about: 'The dashboard of your video platform.',
  email: 'E-mail address',
  password: 'Password',
  submit: 'Sign in',
  code: 'Code',
  codeAbout: 'The six digits that your authenticator app shows, or one of your recovery codes.',
  codeTitle: 'One more step',
  verify: 'Continue',
  back: 'Use another account',
  ended: 'Your session has ended',
  endedAbout: 'Sign in to go on where you were. What you typed is still there.',
  firstTime:
    'The first time? Open the link that the server printed when it started, or use the password in credentials.json in its data folder.',
} as const
