import { type Field, isShown, nullable, type Resource } from '@zoetrope/contract'
import { feedSamples } from './examples-feeds.js'
import { moneySamples } from './examples-money.js'
import { ruleInputs, ruleSamples } from './examples-rules.js'
import { videoSamples } from './examples-videos.js'
import { oneOf, pascalCase } from './names.js'

type Values = Readonly<Record<string, unknown>>

const ids = {
  first: '65f0c0ffee0123456789abcd',
  second: '65f0bada550123456789abcd',
  channel: '65e8d1ab2f3c4d5e6f708192',
  consumer: '65f0ada0000123456789abcd',
}
const made = '2026-03-12T19:04:46.000Z'
const later = '2026-03-14T20:15:00.000Z'
const device = { linked_device_id: 'b2f9d8a4-5f6e-4c0b-9a51-7f2d3c8e6b10', type: 'Roku Ultra' }

/** What makes an example look like life; every other field shows what it holds when nothing was said. */
const samples: Readonly<Record<string, Values>> = {
  video: {
    title: 'The Horse in Motion',
    friendly_title: 'the-horse-in-motion',
    description: 'Twelve cameras, one gallop.',
    keywords: ['horse', 'motion'],
    language: 'en',
    genre: 'Documentary',
    rental_price: '4.99',
    status: 'ready',
    playable_at: '2026-03-12T19:05:02.411Z',
    transcoded: true,
    duration: 94,
    precise_duration: 93.72,
    custom_attributes: { director: 'Eadweard Muybridge' },
    thumbnails: [
      {
        url: 'https://media.example.com/thumbnails/480.jpg',
        width: 854,
        height: 480,
        aspect_ratio: 1.78,
        name: null,
      },
    ],
  },
  subtitle: {
    video_id: ids.second,
    language: 'en',
    title: 'English',
    extension_type: 'srt',
    file: 'MQowMDowMDowMSwwMDAgLS0+IDAwOjAwOjAyLDUwMApHb29kIG1vcm5pbmcuCg==',
    file_file_name: 'the-horse-in-motion.en.srt',
    file_content_type: 'application/x-subrip',
    file_file_size: 47,
    file_fingerprint: '0d599f0ec05c3bda8c3b8a68c32a1b47',
    url: `https://media.example.com/subtitles/${ids.first}/5f2c7d0be8a14936b1d0c4e7a2f38596.vtt`,
  },
  zobject_type: {
    title: 'actors',
    description: 'People on the screen',
    zobject_count: 2,
    zobject_attributes_attributes: [{ field_name: 'born', field_type: 'integer' }],
  },
  zobject: {
    zobject_type: 'actors',
    zobject_type_title: 'actors',
    title: 'Gilbert Domm',
    friendly_title: 'gilbert-domm',
    active: true,
    custom: { born: 1850 },
  },
  segment: { video_id: ids.second, description: 'The first gallop', start: 12_000, end: 15_500 },
  source: {
    file_name: 'gallop.mp4',
    bytes: 48_318_202,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    duration: 93.72,
    container: 'mov',
    width: 1920,
    height: 1080,
    video_codec: 'h264',
    audio_codec: 'aac',
    status: 'ready',
    current: true,
  },
  download: {
    url: 'https://media.example.com/downloads/65e8d1ab2f3c4d5e6f708192.…',
    filesize: 48_318_202,
    file_name: 'gallop.mp4',
    content_type: 'video/mp4',
    expires_at: later,
  },
  video_import: {
    source_url: 'https://films.example/the-horse-in-motion.mp4',
    video_id: ids.second,
    title: 'The Horse in Motion',
    status: 'downloading',
    progress: 42,
    bytes: 44_040_192,
    total_bytes: 104_857_600,
    attempts: 1,
  },
  playlist: {
    title: 'Early films',
    friendly_title: 'early-films',
    keywords: ['silent'],
    playlist_item_count: 12,
  },
  category: { title: 'Genre', friendly_title: 'genre', values: ['Documentary', 'Drama'] },
  app: {
    title: 'Living room TV',
    app_key: 'app_Jr2hT0vQm8YkW4zB6xNc1LdP9sGf',
    client_id: '3f9c2b7a51e84d06',
    client_secret: 'secret_5uYpR7wKd0HnM3tVb8QxZc2J',
    version: '2.1.0',
    settings: { theme: 'dark' },
  },
  account: { title: 'Muybridge Films' },
  user: { email: 'grace@example.com', first_name: 'Grace', role: 'editor', role_ids: ['editor'] },
  formats: { webm_360p: false },
  own_app: { title: 'Living room TV', version: '2.1.0', per_page: 20 },
  consumer: {
    email: 'ada@example.com',
    password: 'a long and quiet river',
    name: 'Ada',
    terms: true,
    custom: { plan: 'gold' },
    email_verified_at: made,
    sign_in_count: 2,
    current_sign_in_at: later,
    current_sign_in_ip: '203.0.113.7',
    last_sign_in_at: made,
    last_sign_in_ip: '203.0.113.7',
  },
  video_favorite: { consumer_id: ids.consumer, video_id: ids.second },
  session: {
    consumer_id: ids.consumer,
    app_id: ids.second,
    app_title: 'Living room TV',
    scope: 'consumer',
    ip: '203.0.113.7',
    user_agent: 'Roku/DVP-14.0',
    refreshed_at: later,
    expires_at: '2026-05-13T20:15:00.000Z',
  },
  linked_device: {
    consumer_id: ids.consumer,
    app_id: ids.second,
    ...device,
    asked_from: '203.0.113.7',
    linked_at: later,
  },
  device: { name: 'Roku', description: 'Channels on Roku' },
  device_category: { name: 'TV box' },
  upload: {
    file_name: 'horse.mp4',
    length: 73_400_320,
    offset: 22_020_096,
    progress: 30,
    expires_at: '2026-03-13T19:04:46.000Z',
  },
  upload_token: {
    max_bytes: 5_000_000_000,
    token: 'zt_upload_…',
    upload_url: 'https://video.example.org/uploads?upload_token=zt_upload_…',
    tus_url: 'https://video.example.org/uploads/tus?upload_token=zt_upload_…',
    expires_at: '2026-03-12T20:04:46.000Z',
  },
  pin: { ...device, pin: 'zizm529', pin_expiration: '2026-03-12T19:19:46.000Z' },
  ...moneySamples,
  ...videoSamples,
  ...feedSamples,
  ...ruleSamples,
}

/** What the second record of a list has instead. */
const others: Readonly<Record<string, Values>> = {
  video: { title: 'The Horse in Motion, part 2' },
  subtitle: { language: 'pt-BR', title: 'Brazilian Portuguese' },
  zobject_type: { title: 'teams' },
  zobject: { title: 'Sallie Gardner' },
  segment: { description: 'Standing still' },
  video_import: { title: 'The Horse in Motion, part 2' },
  playlist: { title: 'Photographs' },
  category: { title: 'Mood' },
  app: { title: 'Phone' },
  consumer: { email: 'grace@example.com' },
  video_favorite: { video_id: '65e9aa01550123456789abcd' },
  session: { app_title: 'Phone' },
  linked_device: { type: 'Fire TV' },
  device: { name: 'Apple TV' },
  device_category: { name: 'Smart TV' },
  upload: { file_name: 'horse-2.mp4' },
  upload_token: { uploads: 3 },
}

/** The fields a person would send first. */
const inputs: Readonly<Record<string, readonly string[]>> = {
  video: ['title', 'description', 'keywords', 'genre', 'custom_attributes'],
  subtitle: ['language', 'file', 'default'],
  zobject_type: ['title', 'description', 'zobject_attributes_attributes'],
  zobject: ['zobject_type', 'title', 'active', 'custom'],
  segment: ['description', 'start', 'end'],
  video_import: ['source_url', 'title'],
  playlist: ['title', 'keywords', 'active'],
  category: ['title', 'values'],
  app: ['title', 'version', 'settings'],
  account: ['title', 'first_page'],
  formats: ['hls_1080p', 'mp4_360p', 'webm_360p'],
  user: ['email', 'first_name', 'role'],
  consumer: ['email', 'password', 'name', 'custom'],
  upload: ['file_name', 'length'],
  upload_token: ['max_bytes', 'uploads', 'expires_in'],
  ...ruleInputs,
}

/** The examples of a resource by component name: a record, a page of a list, and a request. */
export function resourceExamples(resource: Resource): Record<string, object> {
  const name = pascalCase(resource.name)
  const record = exampleRecord(resource)
  const examples: Record<string, object> = {
    [`${name}Response`]: { summary: `${sentence(oneOf(resource))} in full`, value: { response: record } },
  }
  if (resource.operations.includes('create') || resource.operations.includes('update'))
    examples[`${name}Request`] = {
      summary: 'A few fields',
      value: { [resource.name]: exampleInput(resource) },
    }
  if (resource.operations.includes('list')) examples[`${name}List`] = exampleList(resource, record)
  return examples
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function exampleList({ name }: Resource, record: Values): object {
  const other = { _id: ids.second, ...others[name], created_at: '2026-03-11T08:30:00.000Z' }
  const shown = Object.keys(other)
  return {
    summary: `The first of three pages, with response_fields=${shown.join(',')}&per_page=2`,
    value: {
      response: [Object.fromEntries(shown.map((field) => [field, record[field]])), other],
      pagination: {
        current: 0,
        previous: null,
        next: 1,
        per_page: 2,
        pages: 3,
        next_cursor: 'WyIyMDI2LTAzLTExIl0',
      },
    },
  }
}

function exampleInput(resource: Resource): Values {
  const sample: Values = { ...exampleRecord(resource), ...samples[resource.name] }
  const names =
    inputs[resource.name] ?? Object.keys(resource.fields).filter((name) => required(resource, name))
  return Object.fromEntries(names.map((name) => [name, sample[name]]))
}

const required = (resource: Resource, name: string) => resource.fields[name]?.required === true

/** A whole record, true to the schema. */
function exampleRecord(resource: Resource): Values {
  const sample: Values = { _id: ids.first, site_id: ids.channel, ...samples[resource.name] }
  return Object.fromEntries(
    Object.entries(resource.fields)
      .filter(([, field]) => isShown(field))
      .map(([name, field]) => [name, sample[name] ?? emptyValue(field)]),
  )
}

/** What a field holds when nothing was said about it. */
function emptyValue(field: Field): unknown {
  if (nullable(field)) return null
  if (field.kind === 'timestamp') return made
  if ('default' in field && field.default !== undefined) return field.default
  return filler(field)
}

function filler(field: Field): unknown {
  switch (field.kind) {
    case 'list':
    case 'objects':
      return []
    case 'map':
      return {}
    case 'integer':
    case 'number':
      return field.min
    case 'money':
      return '0.00'
    case 'choice':
      return field.options[0]
    case 'id':
      return ids.second
    default:
      return 'example'
  }
}
