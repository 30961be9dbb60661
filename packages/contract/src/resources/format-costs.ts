import { flag, integer, number, objects, text } from '../fields.js'
import { defineResource } from '../resource.js'

const most = Number.MAX_SAFE_INTEGER
const bytes = (about: string) => integer({ about, computed: true, always: true, max: most })
const seconds = (about: string) => number({ about, computed: true, always: true, max: most })
const films = (about: string) => integer({ about, computed: true, always: true })

const cost = {
  format: text({ about: 'The format, as the settings call it.', computed: true, always: true }),
  on: flag({ about: 'Whether the channel publishes it.', computed: true }),
  films: films('The films that have it, whole.'),
  bytes: bytes('What is stored of it.'),
  bytes_per_hour: integer({
    about: 'The same for an hour of film, as measured; null while nothing is made.',
    computed: true,
    max: most,
  }),
  share: number({
    about: 'Its part of all that is stored of the films, from 0 to 1.',
    computed: true,
    always: true,
    max: 1,
  }),
  freed_bytes: bytes(
    'What turning it off would free: less than all where films have it by a choice of their own, or would be left without a picture.',
  ),
  encoding_seconds: seconds('The time that encoders have spent on it, also on films that are gone.'),
  encoding_seconds_per_minute: number({
    about: 'The same for a minute of film; null while nothing was measured.',
    computed: true,
    max: most,
  }),
  estimated_bytes_per_hour: bytes(
    'An estimate for an hour of film, from the bit rate of the format and how the films of this channel compare with theirs.',
  ),
  estimated_films: films('An estimate: the films that would get it if it were turned on.'),
  estimated_bytes: bytes('An estimate: what turning it on would take; 0 while it is on.'),
  estimated_encoding_seconds: number({
    about:
      'An estimate: the encoding that turning it on would cost, from the speed measured in this channel; null while nothing was measured.',
    computed: true,
    max: most,
  }),
} as const

export const formatCosts = defineResource({
  name: 'format_costs',
  plural: 'format_costs',
  about:
    'What each format costs the channel: the room that its films take in it, and the time that encoding them took. What is measured and what is estimated have fields of their own.',
  access: {},
  path: 'settings/formats/costs',
  operations: ['get'],
  single: true,
  derived: true,
  fields: {
    films: films('The films of the channel that have been looked at.'),
    film_seconds: seconds('How long they are together.'),
    source_bytes: bytes(
      'What the files of the channel take as they came, with images and uploads that are under way.',
    ),
    made_bytes: bytes('What is made of them: all formats and the sound, of films that are being made too.'),
    sound_bytes: bytes('The sound of HLS, which all sizes share.'),
    sound_encoding_seconds: seconds('The time that encoders have spent on that sound.'),
    formats: objects(cost, { about: 'Every format.', item: 'format_cost' }),
  },
})
