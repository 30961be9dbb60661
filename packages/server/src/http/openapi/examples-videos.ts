/** What makes examples of what lies in videos look like life. */
const timing = {
  time: 45,
  milliseconds: 45_000,
  duration: 30,
  duration_milliseconds: 30_000,
  type: 'midroll',
  mode: 'manual',
  ad_placement_id: null,
} as const

const source_id = '65f0c0ffee0123456789abce'

export const videoSamples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ad_timing: { ...timing, data_source_id: source_id },
  ad_timings_of_data_source: {
    data_source_id: source_id,
    ad_timings: [{ _id: '65f0c0ffee0123456789abcf', ...timing }],
  },
  subtitle_playlist: {
    language: 'Spanish',
    language_code: 'es',
    source_url: 'https://media.example.com/horse/es.m3u8',
  },
  self_hosted_source: {
    duration: 94,
    files: [
      {
        url: 'https://media.example.com/horse/master.m3u8',
        type: 'hls',
        width: 1920,
        height: 1080,
        aspect_ratio: 1.78,
      },
    ],
  },
}
