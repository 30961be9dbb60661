/** What a new channel reads about its sample. */
export const sampleFields = {
  title: 'Sample film',
  short_description: 'Three chapters, subtitles in two languages, and a bell every second.',
  description:
    'Your server made this film to show what videos can have: chapters on the timeline, subtitles that can be turned on and off, and a format for every connection. Change anything, or delete it.',
  keywords: ['sample'],
} as const

/** WebVTT, as publishers upload it. */
const webVtt = (lines: readonly { from: string; to: string; text: string }[]): string =>
  `WEBVTT\n\n${lines.map(({ from, to, text }) => `00:00:${from} --> 00:00:${to}\n${text}\n`).join('\n')}`

const times = [
  { from: '00.400', to: '03.700' },
  { from: '04.300', to: '07.700' },
  { from: '08.300', to: '11.700' },
] as const

const subtitles = (language: string, texts: readonly [string, string, string], isDefault: boolean) => ({
  language,
  default: isDefault,
  file: Buffer.from(webVtt(times.map((time, index) => ({ ...time, text: texts[index] ?? '' })))).toString(
    'base64',
  ),
})

/** In the order in which they are added. Lists show the newest first. */
export const sampleSubtitles = [
  subtitles(
    'de',
    [
      'Diesen Film hat Ihr Server gerade gemacht.',
      'Seine Kapitel sind auf der Zeitleiste markiert.\nZeigen Sie auf eine Marke, um ihren Namen zu lesen.',
      'Sprache, Tempo und Qualität\nwählen Sie unten.',
    ],
    false,
  ),
  subtitles(
    'en',
    [
      'Your server has just made this film.',
      'Its chapters are marked on the timeline.\nPoint at a mark to read its name.',
      'Choose the language of these lines,\nthe speed and the quality below.',
    ],
    true,
  ),
] as const
