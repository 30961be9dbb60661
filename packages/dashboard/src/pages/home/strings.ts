export const strings = {
  title: 'Home',
  attention: 'Needs attention',
  attentionNone: 'Nothing needs attention.',
  failed: (count: string) => `${count} failed`,
  busy: (count: string) => `${count} being prepared`,
  waiting: (count: string) => `${count} without a film`,
  storage: 'Storage',
  used: (used: string) => `${used} used`,
  usedOf: (used: string, limit: string) => `${used} of ${limit} used`,
  latest: 'Latest videos',
  all: 'All videos',
  upload: 'Upload',
  first: {
    title: 'First steps',
    about: 'Three steps to a video on your page.',
    steps: [
      {
        title: 'Upload a film',
        about: 'Drop a file or a folder. It can be played seconds after it has arrived.',
      },
      {
        title: 'Describe it',
        about: 'A title, a picture, subtitles: on the page of the video, also while it uploads.',
      },
      { title: 'Put it on your page', about: 'Copy the embed code from the page of the video.' },
    ],
    begin: 'Upload your first film',
  },
} as const
