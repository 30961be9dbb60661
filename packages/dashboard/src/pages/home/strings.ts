export const strings = {
  title: 'Home',
  welcome: (channel: string) => `Welcome to ${channel}`,
} as const
