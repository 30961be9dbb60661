export const strings = {
  title: 'You’re invited',
  about: (channel: string, role: string) => `Join the channel ${channel}. Your role: ${role}.`,
  gone: 'This invitation is no longer valid',
  goneAbout: 'It was used or withdrawn, or it has expired. Ask for a new one.',
  name: 'Your name',
  nameAbout: 'For a new account.',
  password: 'Password',
  passwordAbout:
    'If you have an account on this server, enter its password. Otherwise choose one of at least 8 characters.',
  code: 'Code from your authenticator app',
  join: 'Join',
  email: 'E-mail address',
} as const
