/** The texts of the frame around the pages. */
export const strings = {
  product: 'Zoetrope',
  skip: 'Skip to the page',
  navigation: 'Main navigation',
  openMenu: 'Open the navigation',
  closeMenu: 'Close the navigation',
  chooseChannel: (name: string) => `Channel: ${name}. Choose another`,
  upload: 'Upload',
  uploading: (percent: number) => `Uploading ${percent} %`,
  account: (email: string) => `Signed in as ${email}`,
  ownAccount: 'Your account',
  signOut: 'Sign out',
  theme: 'Theme',
  themes: { auto: 'As the system', light: 'Light', dark: 'Dark' },
  roles: { owner: 'Owner', editor: 'Editor', viewer: 'Viewer' },
  ended: 'Your session has ended.',
  signIn: 'Sign in',
  offline: 'You are offline. What you see may be old; it goes on by itself once there is a connection.',
  starting: 'Opening the dashboard',
  late: 'This takes longer than usual.',
  loadAgain: 'Load the page again',
  cutOff: {
    title: 'No connection',
    about: 'You are offline. The dashboard opens by itself once there is a connection.',
  },
  noChannel: {
    title: 'No channel yet',
    about: 'You belong to no channel. Ask somebody who owns one to invite you.',
  },
  notFound: {
    title: 'There is no such page',
    about: 'The address is wrong, or what was here has moved.',
    back: 'Go to the start page',
  },
  broken: {
    title: 'This page broke',
    about:
      'The fault is ours. Your data is as you left it. Load the page again, and tell us if it happens once more.',
    again: 'Load again',
  },
  gone: {
    title: 'This part could not be loaded',
    about:
      'The connection broke, or the dashboard has been updated since you opened it. Load the page again to go on.',
  },
} as const
