export const strings = {
  title: 'You’re invited',
  about: (channel: string, role: string) => `Join the channel ${channel}. Your role: ${role}.`,
  gone: 'This invitation is no longer valid',
  goneAbout: 'It was used or withdrawn, or it has expired. Ask for a new one.',
  name: 'Your name',
  password: 'Choose a password',
  known: 'Your password',
  knownAbout: 'You already have an account. Sign in to join.',
  code: 'Code from your authenticator app, if you use one',
  join: 'Join',
  email: 'E-mail address',
} as const
