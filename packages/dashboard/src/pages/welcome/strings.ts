export const strings = {
  title: 'Welcome to Zoetrope',
  about: 'Choose how you sign in from now on.',
  email: 'E-mail address',
  emailAbout: 'You sign in with it. Change it if it is not yours.',
  password: 'Choose a password',
  passwordAbout: 'At least 8 characters.',
  enter: 'Open the dashboard',
  gone: 'This link is no longer valid',
  goneAbout:
    'It was used, or is older than a day. Until somebody has signed in, each start of the server prints a new one.',
  signIn: 'Sign in with a password',
} as const
