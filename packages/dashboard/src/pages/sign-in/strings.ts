export const strings = {
  title: 'Sign in',
  about: 'Sign in to the Zoetrope dashboard.',
  password: 'Password',
  submit: 'Sign in',
  code: 'Code',
  codeAbout: 'Enter the six-digit code from your authenticator app, or a recovery code.',
  codeTitle: 'One more step',
  verify: 'Continue',
  back: 'Use another account',
  ended: 'Your session has ended',
  endedAbout: 'Sign in to continue where you left off. What you typed is still there.',
  firstTime:
    'First time here? Open the link that the server printed when it started, or use the sign-in details in credentials.json in the data folder.',
  forgotten: 'Forgot your password?',
  forgottenAbout: 'Enter your e-mail address. We will send you a link to choose a new password.',
  forgottenNoMail:
    'This server cannot send e-mail. Ask your administrator for a new password: the command is zoetrope password, followed by your e-mail address.',
  forgottenSend: 'Send link',
  forgottenSent:
    'If this address has an account, an e-mail with a link is on its way. The link works for two hours.',
  toSignIn: 'Go to sign-in',
  or: 'or',
  continueWith: (name: string) => `Continue with ${name}`,
  problems: {
    declined: 'Signing in was canceled.',
    expired: 'That took too long, or was started in another browser. Please try again.',
    unreachable: 'The identity provider did not respond. Try again in a moment.',
    unverified:
      'The identity provider has not verified your e-mail address. Verify it there, then try again.',
    no_role: 'Your account has no access to any channel here. Ask an owner to invite you.',
    taken:
      'Another account here already uses your e-mail address. Ask an owner to remove it from their team, then try again.',
    failed:
      'Signing in with the identity provider failed. Try again; if it fails again, contact your administrator.',
  },
} as const
