import { percent } from '../ui/numbers.js'

/** The texts of the frame around the pages. */
export const strings = {
  product: 'Zoetrope',
  skip: 'Skip to content',
  navigation: 'Main navigation',
  openMenu: 'Open navigation',
  closeMenu: 'Close navigation',
  chooseChannel: (name: string) => `Channel: ${name}. Switch channel`,
  find: 'Find anything',
  dropAnywhere: 'Drop files to upload them',
  upload: 'Upload',
  uploading: (done: number) => `Uploading ${percent(done / 100)}`,
  account: (email: string) => `Signed in as ${email}`,
  ownAccount: 'Your account',
  shortcuts: 'Keyboard shortcuts',
  signOut: 'Sign out',
  theme: 'Theme',
  themes: { auto: 'System', light: 'Light', dark: 'Dark' },
  ended: 'Your session has ended.',
  signIn: 'Sign in',
  offline: 'You’re offline. This page may be out of date and will refresh when you reconnect.',
  starting: 'Opening the dashboard',
  late: 'This is taking longer than usual.',
  loadAgain: 'Reload the page',
  cutOff: {
    title: 'No connection',
    about: 'You’re offline. The dashboard will open when you reconnect.',
  },
  noChannel: {
    title: 'No channel yet',
    about: 'You’re not a member of any channel. Ask the owner of a channel to invite you.',
  },
  otherChannel: {
    title: 'You’re not a member of this channel',
    about: (email: string) => `You’re signed in as ${email}. Ask an owner of this channel to invite you.`,
    back: 'Go to your own channel',
  },
  notFound: {
    title: 'Page not found',
    about: 'The address is wrong, or the page has moved.',
    back: 'Go to Home',
  },
  broken: {
    title: 'Something went wrong on this page',
    about:
      'This is a bug in the dashboard. Your saved data is safe. Reload the page, and report it if it happens again.',
    again: 'Reload',
  },
  gone: {
    title: 'This page could not be loaded',
    about:
      'The connection was lost, or the dashboard was updated while it was open. Reload the page to continue.',
  },
} as const
