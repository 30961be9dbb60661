export const strings = {
  title: 'Formats',
  about:
    'What every video of this channel is published as. Turned on, a format is made for the videos that are there; turned off, it leaves playlists at once and the disk after a day.',
  format: 'Format',
  size: 'What it is',
  published: 'Published',
  changed: (name: string, isOn: boolean) => `${name} is ${isOn ? 'on' : 'off'}`,
  failed: (name: string) => `${name} stays as it was`,
} as const
