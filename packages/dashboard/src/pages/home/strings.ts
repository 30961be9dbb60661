import { dayOf, plural, whole } from '../../ui/numbers.js'

export const strings = {
  title: 'Home',
  attention: 'Needs attention',
  attentionNone: 'Nothing needs your attention.',
  failed: (count: number) => plural(count, { one: '# video failed', other: '# videos failed' }),
  waiting: (count: number) => plural(count, { one: '# video uploading', other: '# videos uploading' }),
  expiring: (count: number) =>
    plural(count, {
      one: '# video scheduled to be unpublished soon',
      other: '# videos scheduled to be unpublished soon',
    }),
  plays: 'Plays',
  playsMonth: (plays: number) =>
    plural(plays, { one: 'play in the last 28 days', other: 'plays in the last 28 days' }),
  watchedMonth: 'watched in the last 28 days',
  ofThese: (amount: string) => `${amount} in the last 7 days`,
  chart: (plays: number) => `Plays per day: ${whole(plays)} in the last 28 days`,
  onDay: (date: string, plays: number) => `${dayOf(date)}: ${whole(plays)}`,
  watchTime: 'Watch time',
  watchChart: (time: string) => `Watch time per day: ${time} in the last 28 days`,
  watchedOn: (date: string, time: string) => `${dayOf(date)}: ${time}`,
  encoding: (count: number) =>
    count === 0
      ? 'Nothing is being encoded.'
      : plural(count, { one: '# video being encoded', other: '# videos being encoded' }),
  storage: 'Storage',
  stored: (bytes: string) => `${bytes} used`,
  originals: (bytes: string) => `Originals: ${bytes}`,
  formats: (bytes: string) => `Formats: ${bytes}`,
  usedOf: (used: string, limit: string) => `Limit for originals: ${used} of ${limit}`,
  latest: 'Latest videos',
  all: 'All videos',
  first: {
    title: 'Get started',
    about: 'Three steps to a video on your site.',
    steps: [
      {
        title: 'Upload a video',
        about: 'Drop a file or a folder. You can play it seconds after the upload.',
      },
      {
        title: 'Add details',
        about: 'A title, a poster, subtitles. You can do this while the video uploads.',
      },
      { title: 'Put it on your site', about: 'Copy the embed code from the video’s page.' },
    ],
    begin: 'Upload your first video',
    sample: 'Try a sample video',
    sampleAbout: 'The sample is a film of 12 seconds with chapters and subtitles. You can delete it later.',
    making: 'Making the film…',
    makingAbout: 'Your server draws three scenes and adds subtitles in English and German.',
    made: (chapters: number, formats: number) =>
      [
        plural(chapters, { one: '# chapter', other: '# chapters' }),
        'subtitles in English and German',
        ...(formats > 0 ? [plural(formats, { one: '# format', other: '# formats' })] : []),
      ].join(' · '),
    openSample: 'Open the video',
    sampleFailed: 'The sample video is not available',
  },
} as const
