import type { Field } from '@zoetrope/contract'
import { pick, type Random } from './choose.js'

/** Ids of existing records, by the name of their resource. */
export type Ids = Readonly<Record<string, readonly string[]>>

const hex = (random: Random) =>
  Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')

type TextFormat = NonNullable<Extract<Field, { kind: 'text' }>['format']>

const formatted: Readonly<Record<TextFormat, (random: Random) => string>> = {
  url: (random) =>
    pick(random, ['https://media.example/film.mp4', 'http://127.0.0.1:9/', 'https://a.example/é?x=1#y']),
  slug: (random) => `slug-${hex(random)}`,
  email: (random) => `fuzz-${hex(random)}@example.com`,
  color: (random) => `#${hex(random).slice(0, 6)}`,
  domain: (random) => pick(random, ['example.com', '*.example.com', 'localhost:8080']),
  redirect: (random) =>
    pick(random, ['https://app.example/back', 'http://localhost/back', 'com.example.app:/back']),
  language: (random) => pick(random, ['en', 'English', 'es', 'pt-BR']),
  timecode: (random) => pick(random, ['0', '62.5', '1:02.5', '00:01:02.500']),
  currency: (random) => pick(random, ['USD', 'eur', 'JPY']),
}

const times = [
  '2026-03-12T19:04:46.000Z',
  '2026-03-12',
  '1970-01-01T00:00:00Z',
  '2000-02-29T23:59:59.999+14:00',
  '9999-12-31T23:59:59.999Z',
  1_773_342_286,
  0,
]

const aPicture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const files = [aPicture, Buffer.from('00:00:01,000 --> 00:00:02,000\nHello').toString('base64')]

/** Returns an id of the kind that the field's name suggests, or of any kind. */
function idFor(name: string, ids: Ids, random: Random): string {
  const stem = name.replace(/_ids?$/, '')
  const kind = Object.keys(ids).find((known) => stem === known || stem.endsWith(`_${known}`))
  return pick(random, (kind && ids[kind]) || Object.values(ids).flat())
}

/** Returns a value that the contract allows in the field. */
export function validValue(field: Field, name: string, ids: Ids, random: Random): unknown {
  switch (field.kind) {
    case 'text':
      if (field.format) return formatted[field.format](random)
      return pick(random, [
        `Text ${hex(random)}`,
        'Ünïcödé 🎬 \u202e',
        'x'.repeat(field.maxLength),
        'a',
        '0',
      ]).slice(0, field.maxLength)
    case 'flag':
      return random() < 0.5
    case 'integer':
      return pick(random, [field.min, field.max, Math.min(field.max, field.min + Math.floor(random() * 50))])
    case 'number':
      return pick(random, [field.min, field.max, Math.min(field.max, field.min + random() * 50)])
    case 'money':
      return pick(random, ['0', '4.99', '9999999999.9999'])
    case 'choice':
      return pick(random, field.options)
    case 'timestamp':
      return pick(random, times)
    case 'id':
      return idFor(name, ids, random)
    case 'secret':
      return `secret ${hex(random)}`
    case 'password':
      return `a password ${hex(random)}`
    case 'file':
      return pick(random, files)
    case 'list':
      return several(random, () => validValue(field.of, name, ids, random))
    case 'map':
      return pick(random, [{}, { note: 'a', count: 1 }, { inner: { list: [1, null, 'é'] } }])
    case 'objects':
      return several(random, () => validFields(field.of, ids, random, 0.5))
  }
}

const several = <T>(random: Random, make: () => T): T[] =>
  Array.from({ length: Math.floor(random() * 4) }, make)

/** Returns values for the required fields, and for some of the others. */
export function validFields(
  fields: Readonly<Record<string, Field>>,
  ids: Ids,
  random: Random,
  share: number,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => !field.computed && (field.required || random() < share))
      .map(([name, field]) => [name, validValue(field, name, ids, random)]),
  )
}
