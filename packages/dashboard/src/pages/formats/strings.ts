const many = (count: number, one: string, more: string) =>
  `${count.toLocaleString()} ${count === 1 ? one : more}`

export const strings = {
  title: 'Formats',
  about:
    'What every video of this channel is published as. Turned on, a format is made for the videos that are there; turned off, it leaves playlists at once and the disk after a day.',
  format: 'Format',
  storage: 'Storage',
  encoding: 'Encoding',
  published: 'Published',
  changed: (name: string, isOn: boolean) => `${name} is ${isOn ? 'on' : 'off'}`,
  failed: (name: string) => `${name} stays as it was`,
  stored: 'What is stored',
  storedAbout: (all: string, originals: string, formats: string, films: number, length: string) =>
    `${all} stored: originals ${originals}, formats ${formats}. ${many(films, 'film', 'films')} of ${length} in all.`,
  originals: 'Originals and images',
  beingMade: 'Films being made',
  hls: 'HLS',
  sound: 'Sound of HLS',
  files: 'Files',
  part: (name: string, bytes: string, percent: string) => `${name}: ${bytes}, ${percent}`,
  emptyTitle: 'No films yet',
  emptyAbout:
    'What is said of each format is an estimate for an hour of film. With the first film it is measured.',
  films: (count: number) => many(count, 'film', 'films'),
  percent: (share: number) =>
    share.toLocaleString(undefined, { style: 'percent', maximumFractionDigits: share < 0.1 ? 1 : 0 }),
  perHour: (bytes: string) => `${bytes} for an hour`,
  aboutPerHour: (bytes: string) => `About ${bytes} for an hour`,
  aboutBytes: (bytes: string, films: number) => `About ${bytes} for ${many(films, 'film', 'films')}`,
  nothingToMake: 'No film would get it',
  stillStored: (bytes: string) => `${bytes} still stored`,
  backForNothing: 'Turned on again, that costs nothing',
  estimate: 'Estimate',
  perMinute: (time: string) => `${time} for a minute`,
  inAll: (time: string) => `${time} in all`,
  aboutTime: (time: string) => `About ${time}`,
  notMeasured: 'Not measured yet',
  measured:
    'Storage and encoding are measured in this channel. Sizes that are encoded together share the time by their pixels. An estimate follows from the bit rates of the formats, and from what was measured of others.',
  turnOff: (name: string) => `Turn ${name} off?`,
  turnOffAbout: (name: string) =>
    `Players and pages are without ${name} at once, for every video that follows the channel.`,
  frees: (bytes: string) => `After a day ${bytes} are freed. Turned on again before that, it costs nothing.`,
  freesNothing: 'That frees nothing.',
  turnOn: (name: string) => `Turn ${name} on?`,
  turnOnAbout: (films: number) =>
    `It is made for ${many(films, 'film', 'films')} that are there, behind everything that viewers wait for.`,
  takes: (bytes: string) => `That takes about ${bytes} (an estimate).`,
  takesTime: (bytes: string, time: string) =>
    `That takes about ${bytes}, and about ${time} of encoding (an estimate).`,
  off: 'Turn off',
  on: 'Turn on',
  cancel: 'Cancel',
} as const
