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
  forgotten: 'Forgot your password?',
  forgottenAbout: 'Enter your e-mail address. We will send you a link to choose a new password.',
  forgottenNoMail:
    'This server cannot send mail. Ask the person who runs it for a new password: the command is zoetrope password, followed by your e-mail address.',
  forgottenSend: 'Send the link',
  forgottenSent:
    'If this address has an account, a mail with a link is on its way. The link works for two hours.',
  toSignIn: 'Go to sign-in',
  or: 'or',
  continueWith: (name: string) => `Continue with ${name}`,
  problems: {
    declined: 'Signing in was cancelled.',
    expired: 'That took too long, or was begun in another browser. Please try again.',
    unreachable: 'The identity provider did not respond. Try again in a moment.',
    unverified:
      'The identity provider has not verified your e-mail address. Verify it there, then try again.',
    no_role: 'Your account has no access to any channel here. Ask an owner to invite you.',
    taken:
      'Another account here already uses your e-mail address. Ask an owner to remove it from their team, then try again.',
    failed:
      'Signing in with the identity provider failed. Try again; if it fails again, tell the operator of this server.',
  },
} as const
