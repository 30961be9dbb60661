export const strings = {
  title: 'Welcome to Zoetrope',
  about: 'Choose how you’ll sign in from now on.',
  emailAbout: 'You sign in with this address. Replace it with your own.',
  password: 'Choose a password',
  passwordAbout: 'At least 8 characters.',
  enter: 'Open the dashboard',
  gone: 'This link is no longer valid',
  goneAbout:
    'It was used, or is more than a day old. Until someone has signed in, the server prints a new link each time it starts.',
  signIn: 'Sign in with a password',
} as const
