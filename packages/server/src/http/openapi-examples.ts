import { type Field, nullable, type Resource } from '@zoetrope/contract'
import { oneOf, pascalCase } from './openapi-names.js'

type Values = Readonly<Record<string, unknown>>

const ids = {
  first: '65f0c0ffee0123456789abcd',
  second: '65f0bada550123456789abcd',
  channel: '65e8d1ab2f3c4d5e6f708192',
}
const made = '2026-03-12T19:04:46.000Z'

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
  app: {
    title: 'Living room TV',
    app_key: 'app_Jr2hT0vQm8YkW4zB6xNc1LdP9sGf',
    client_id: '3f9c2b7a51e84d06',
    client_secret: 'secret_5uYpR7wKd0HnM3tVb8QxZc2J',
    version: '2.1.0',
    settings: { theme: 'dark' },
  },
  account: { title: 'Muybridge Films' },
}

/** The fields a person would send first. */
const inputs: Readonly<Record<string, readonly string[]>> = {
  video: ['title', 'description', 'keywords', 'genre', 'custom_attributes'],
  app: ['title', 'version', 'settings'],
  account: ['title', 'first_page'],
}

/** The examples of a resource by component name: a record, a page of a list, and a request. */
export function resourceExamples(resource: Resource): Record<string, object> {
  const name = pascalCase(resource.name)
  const record = exampleRecord(resource)
  const examples: Record<string, object> = {
    [`${name}Response`]: { summary: `${sentence(oneOf(resource))} in full`, value: { response: record } },
    [`${name}Request`]: {
      summary: 'A few fields',
      value: { [resource.name]: exampleInput(resource, record) },
    },
  }
  if (resource.operations.includes('list'))
    examples[`${name}List`] = {
      summary: 'The first of three pages, with response_fields=_id,title,created_at&per_page=2',
      value: exampleList(record),
    }
  return examples
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function exampleList({ _id, title, created_at }: Values): object {
  return {
    response: [
      { _id, title, created_at },
      { _id: ids.second, title: `${title}, part 2`, created_at: '2026-03-11T08:30:00.000Z' },
    ],
    pagination: {
      current: 0,
      previous: null,
      next: 1,
      per_page: 2,
      pages: 3,
      next_cursor: 'WyIyMDI2LTAzLTExIl0',
    },
  }
}

function exampleInput(resource: Resource, record: Values): Values {
  const names =
    inputs[resource.name] ?? Object.keys(resource.fields).filter((name) => required(resource, name))
  return Object.fromEntries(names.map((name) => [name, record[name]]))
}

const required = (resource: Resource, name: string) => resource.fields[name]?.required === true

/** A whole record, true to the schema. */
function exampleRecord(resource: Resource): Values {
  const sample: Values = { _id: ids.first, site_id: ids.channel, ...samples[resource.name] }
  return Object.fromEntries(
    Object.entries(resource.fields).map(([name, field]) => [name, sample[name] ?? emptyValue(field)]),
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
