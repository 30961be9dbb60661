import { percent, plural } from '../../ui/numbers.js'

const videos = (count: number) => plural(count, { one: '# video', other: '# videos' })

export const strings = {
  title: 'Formats',
  about:
    'The formats that your videos are published in. A format that you turn on is also created for existing videos. A format that you turn off disappears from players immediately, and its files are deleted after a day.',
  format: 'Format',
  storage: 'Storage',
  encoding: 'Encoding',
  published: 'In use',
  changed: (name: string, isOn: boolean) => `${name} is ${isOn ? 'on' : 'off'}`,
  failed: (name: string) => `Could not change ${name}`,
  stored: 'Storage used',
  storedAbout: (all: string, originals: string, formats: string, count: number, length: string) =>
    `${all} in total: ${originals} of originals and ${formats} of formats. ${videos(count)}, ${length} long altogether.`,
  originals: 'Originals and images',
  beingMade: 'Videos being encoded',
  hls: 'HLS video',
  sound: 'HLS audio',
  files: 'Files',
  part: (name: string, bytes: string, share: string) => `${name}: ${bytes}, ${share}`,
  emptyTitle: 'No videos yet',
  emptyAbout:
    'The figures below are estimates for one hour of video. They are measured once you have a video.',
  films: videos,
  percent,
  perHour: (bytes: string) => `${bytes} per hour`,
  aboutPerHour: (bytes: string) => `About ${bytes} per hour`,
  aboutBytes: (bytes: string, count: number) => `About ${bytes} for ${videos(count)}`,
  nothingToMake: 'No video needs this format',
  stillStored: (bytes: string) => `${bytes} still stored`,
  backForNothing: 'Free to turn on again for now',
  estimate: 'Estimate',
  perMinute: (time: string) => `${time} per minute of video`,
  inAll: (time: string) => `${time} in total`,
  aboutTime: (time: string) => `About ${time}`,
  notMeasured: 'Not measured yet',
  measured:
    'Storage and encoding time are measured in this channel. Formats that are encoded together share the time by their number of pixels. Estimates are based on bit rates and on the formats measured so far.',
  turnOff: (name: string) => `Turn off ${name}?`,
  turnOffAbout: (name: string) =>
    `Players stop offering ${name} immediately, for every video that uses the channel’s formats.`,
  frees: (bytes: string) =>
    `This frees ${bytes} after a day. Until then you can turn it on again at no cost.`,
  freesNothing: 'This frees no storage.',
  turnOn: (name: string) => `Turn on ${name}?`,
  turnOnAbout: (count: number) =>
    `It is created for ${plural(count, { one: '# existing video', other: '# existing videos' })}, after any work that viewers are waiting for.`,
  takes: (bytes: string) => `This takes about ${bytes} (estimate).`,
  takesTime: (bytes: string, time: string) => `This takes about ${bytes} and ${time} of encoding (estimate).`,
  off: 'Turn off',
  on: 'Turn on',
  cancel: 'Cancel',
} as const
