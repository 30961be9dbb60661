export const strings = {
  title: 'You are invited',
  about: (channel: string, role: string) => `Join the channel ${channel} as ${role}.`,
  gone: 'This invitation is not good any more',
  goneAbout: 'It was used, withdrawn or has expired. Ask for a new one.',
  name: 'Your name',
  password: 'Choose a password',
  known: 'Your password',
  knownAbout: 'You have an account already: sign in to join.',
  code: 'Code of your authenticator app, if you set one up',
  join: 'Join',
  email: 'E-mail address',
} as const
