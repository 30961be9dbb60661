/** Every numeric limit on what a caller may send, in one table; the reference prints it. */
export const limits = {
  body_bytes: { value: 1_048_576, about: 'Size of a request body.' },
  url_bytes: { value: 16_384, about: 'Length of path and query string.' },
  parameters: { value: 1_000, about: 'Parameters in a query string or form.' },
  depth: { value: 20, about: 'Nesting of a body, in JSON, XML or brackets.' },
  per_page: { value: 100, about: 'Records on a page; a larger per_page is cut to this.' },
  page: { value: 1_000_000_000, about: 'Highest page number that may be asked for.' },
  counted: {
    value: 100_000,
    about:
      'Records up to which pages is exact in a filtered list; beyond, it grows with the pages asked for.',
  },
  filter_values: { value: 200, about: 'Values in one filter.' },
  filter_length: { value: 1_000, about: 'Characters in one value of a filter.' },
  search_length: { value: 200, about: 'Characters of a keyword search.' },
  image_bytes: { value: 10_000_000, about: 'Size of an image for a poster.' },
  image_side: { value: 10_000, about: 'Pixels of an image on its longer side.' },
  image_pixels: { value: 50_000_000, about: 'Pixels of an image in all.' },
  subtitle_bytes: { value: 700_000, about: 'Size of a subtitle file.' },
  subtitle_cues: { value: 20_000, about: 'Cues in a subtitle file.' },
  subtitles: { value: 100, about: 'Subtitles of one video.' },
  ad_timings: { value: 100, about: 'Ad timings of one data source of a video.' },
  segments: { value: 500, about: 'Segments of one video.' },
  zobject_attributes: { value: 100, about: 'Attributes of one zobject type.' },
  zobject_videos: { value: 1_000, about: 'Videos that one zobject is attached to.' },
  video_zobjects: { value: 200, about: 'Zobjects attached to one video.' },
  event_streams: {
    value: 100,
    about: 'Streams of events that a channel has open at once, on each server.',
  },
  map_bytes: { value: 32_768, about: 'Size of one field of free key/value pairs, as JSON.' },
} as const
