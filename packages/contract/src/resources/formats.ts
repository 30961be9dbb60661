import { flag, integer, number, objects, text } from '../fields.js'
import { type Format, publishedFormats } from '../published-formats.js'
import { defineResource } from '../resource.js'

const kinds: Readonly<Record<string, string>> = { hls: 'HLS', mp4: 'An MP4 file', webm: 'A WebM file' }

/** A switch for each published format. */
const switches = Object.fromEntries(
  Object.entries(publishedFormats).map(([name, { width, height }]) => [
    name,
    flag({ about: `${kinds[name.split('_')[0] ?? '']} in ${width}×${height}.`, default: true }),
  ]),
) as Readonly<Record<Format, ReturnType<typeof flag<{ about: string; default: true }>>>>

export const formats = defineResource({
  name: 'formats',
  plural: 'formats',
  about: 'The formats in which the channel publishes its videos.',
  access: {},
  path: 'settings/formats',
  operations: ['get', 'update'],
  single: true,
  fields: switches,
})

const most = Number.MAX_SAFE_INTEGER
const bytes = (about: string) => integer({ about, computed: true, always: true, max: most })
const seconds = (about: string) => number({ about, computed: true, always: true, max: most })
const films = (about: string) => integer({ about, computed: true, always: true })

const cost = {
  format: text({ about: 'The format, as the settings call it.', computed: true, always: true }),
  on: flag({ about: 'Whether the channel publishes it.', computed: true }),
  films: films('The number of films that have it completely.'),
  bytes: bytes('The bytes stored of it.'),
  bytes_per_hour: integer({
    about: 'The same for an hour of film, as measured; null if there is none.',
    computed: true,
    max: most,
  }),
  share: number({
    about: 'Its share of all stored bytes of the films, from 0 to 1.',
    computed: true,
    always: true,
    max: 1,
  }),
  freed_bytes: bytes(
    'What turning it off would free: less than all where films have it by a choice of their own, or would be left without a picture.',
  ),
  encoding_seconds: seconds('The time that encoders have spent on it, including removed films.'),
  encoding_seconds_per_minute: number({
    about: 'The same for a minute of film; null if nothing was measured.',
    computed: true,
    max: most,
  }),
  estimated_bytes_per_hour: bytes(
    'An estimate for an hour of film, from the bit rate of the format and how the films of this channel compare with theirs.',
  ),
  estimated_films: films('An estimate: the films that would get it if it were turned on.'),
  estimated_bytes: bytes('An estimate: the bytes that turning it on would take; 0 while it is on.'),
  estimated_encoding_seconds: number({
    about:
      'An estimate: the encoding that turning it on would cost, from the speed measured in this channel; null if nothing was measured.',
    computed: true,
    max: most,
  }),
} as const

export const formatCosts = defineResource({
  name: 'format_costs',
  plural: 'format_costs',
  about:
    'What each format costs the channel: the storage of its films, and the time to encode them. Measurements and estimates have separate fields.',
  access: {},
  path: 'settings/formats/costs',
  operations: ['get'],
  single: true,
  derived: true,
  fields: {
    films: films('The number of films of the channel that have been analysed.'),
    film_seconds: seconds('Their total length.'),
    source_bytes: bytes(
      "The bytes of the channel's original files, including images and uploads in progress.",
    ),
    made_bytes: bytes('The bytes made of them: all formats and the sound, including films in progress.'),
    sound_bytes: bytes('The bytes of HLS audio, which all sizes share.'),
    sound_encoding_seconds: seconds('The time that encoders have spent on that audio.'),
    formats: objects(cost, { about: 'Every format.', item: 'format_cost' }),
  },
})
