import { type Field, isShown, nullable, type ObjectsField } from './fields.js'
import { limits } from './limits.js'
import type { Resource } from './resource.js'

export interface JsonSchema {
  [keyword: string]: unknown
}

const idSchema = { type: 'string', pattern: '^[0-9a-f]{24}$', example: '65f0c0ffee0123456789abcd' }

// Control characters and those that cannot be seen, one by one: not every reader of the schemas knows \p{C}.
const unseen =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb'
const mailWord = `[^\\s${unseen}@<>()\\[\\]\\\\,;:"]+`
/** JSON Schema has no flag for it. */
const inAnyCase = (word: string) => word.replace(/./g, (letter) => `[${letter}${letter.toUpperCase()}]`)

const notForApps = [
  ...[
    'http',
    'https',
    'javascript',
    'vbscript',
    'data',
    'file',
    'blob',
    'about',
    'mailto',
    'intent',
    'tel',
    'sms',
    'ftp',
  ],
]
  .map(inAnyCase)
  .join('|')

const formats = {
  url: { pattern: '^https?://[^\\s]+$' },
  slug: { pattern: '^[^\\s/?#]+$' },
  // One plain address: no list of them, no name around it.
  email: { pattern: `^${mailWord}@${mailWord}$` },
  color: { pattern: '^#[0-9a-fA-F]{6}$' },
  // Names are understood as well as codes.
  language: {},
  currency: {},
  // 62.5, 1:02.5 or 00:01:02.500
  timecode: { pattern: '^([0-9]{1,6}|([0-9]{1,3}:)?[0-5]?[0-9]:[0-5][0-9])([.,][0-9]{1,6})?$' },
  // A host, perhaps all below it, perhaps with a port; names in other scripts as they are sent (xn--…).
  domain: {
    pattern:
      '^(\\*\\.)?[a-zA-Z0-9_]([a-zA-Z0-9_-]*[a-zA-Z0-9_])?(\\.[a-zA-Z0-9_]([a-zA-Z0-9_-]*[a-zA-Z0-9_])?)*(:[0-9]{1,5})?$',
  },
  // https, http on the machine itself, or an app's own scheme, but none that a browser runs or reads; no fragment (RFC 6749 §3.1.2).
  redirect: {
    pattern: `^(https://[^\\s#*@\\\\]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])([:/][^\\s#*@\\\\]*)?|(?!(${notForApps})[:])[a-zA-Z][a-zA-Z0-9+.-]*:[^\\s#]+)$`,
  },
} as const

/** Four letters for three bytes, and room for line breaks and the beginning of a data: address. */
const base64Length = (bytes: number) => Math.ceil((bytes / 3) * 4 * 1.04) + 200

/** The schema of one value, not null. */
function valueSchema(field: Field): JsonSchema {
  switch (field.kind) {
    case 'text':
      return {
        type: 'string',
        ...(field.required ? { minLength: 1, pattern: '\\S' } : {}),
        maxLength: field.maxLength,
        ...(field.format ? formats[field.format] : {}),
      }
    case 'flag':
      return { type: 'boolean' }
    case 'integer':
    case 'number':
      return { type: field.kind, minimum: field.min, maximum: field.max }
    case 'money':
      return { type: 'string', pattern: '^[0-9]{1,10}(\\.[0-9]{1,4})?$', example: '4.99' }
    case 'choice':
      return { enum: [...field.options] }
    case 'timestamp':
      return { type: 'string', format: 'date-time' }
    case 'id':
      return idSchema
    case 'secret':
      return { type: 'string' }
    case 'password':
      return {
        type: 'string',
        format: 'password',
        writeOnly: true,
        minLength: field.minLength,
        maxLength: field.maxLength,
      }
    case 'file':
      return {
        type: 'string',
        contentEncoding: 'base64',
        writeOnly: true,
        minLength: 1,
        maxLength: base64Length(field.maxBytes),
      }
    case 'list':
      return { type: 'array', items: valueSchema(field.of), maxItems: field.maxItems }
    case 'map':
      return { type: 'object', maxProperties: field.maxKeys, additionalProperties: true }
    case 'objects':
      return { type: 'array', items: itemSchema(field), maxItems: field.maxItems }
  }
}

/** What the platform writes is whole unless its fields can be chosen; a caller sends what it has to say. */
function itemSchema({ of, computed, selectable }: ObjectsField): JsonSchema {
  const entries = Object.entries(of)
  if (selectable) return objectSchema(entries, ['_id'])
  return computed ? objectSchema(entries) : objectSchema(entries, requiredAmong(entries))
}

const requiredAmong = (entries: readonly [string, Field][]) =>
  entries.filter(([, field]) => field.required).map(([name]) => name)

export function fieldSchema(field: Field): JsonSchema {
  const schema = valueSchema(field)
  if (!nullable(field)) return schema
  if (schema.enum) return { enum: [...(schema.enum as unknown[]), null] }
  return { ...schema, type: [schema.type, 'null'] }
}

function described(field: Field): JsonSchema {
  const fallback = 'default' in field && field.default !== undefined ? { default: field.default } : {}
  return { ...fieldSchema(field), description: field.about, ...fallback }
}

function objectSchema(entries: [string, Field][], required = entries.map(([name]) => name)): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, described(field)])),
    ...(required.length > 0 ? { required } : {}),
  }
}

export function recordSchema(resource: Resource): JsonSchema {
  return objectSchema(Object.entries(resource.fields).filter(([, field]) => isShown(field)))
}

export function writableFields(resource: Resource): [string, Field][] {
  return Object.entries(resource.fields).filter(([, field]) => !field.computed)
}

/** The schema of a create (required fields must be there) or of an update (nothing must). */
export function inputSchema(resource: Resource, operation: 'create' | 'update'): JsonSchema {
  const entries = writableFields(resource)
  return objectSchema(entries, operation === 'create' ? requiredAmong(entries) : [])
}

export function actionSchema(body: Readonly<Record<string, Field>>): JsonSchema {
  const entries = Object.entries(body)
  return objectSchema(entries, requiredAmong(entries))
}

/** Where a page stands among all pages. */
export interface Pagination {
  readonly current: number
  readonly previous: number | null
  readonly next: number | null
  readonly per_page: number
  readonly pages: number
  /** Records on all pages. */
  readonly total: number
  /** Only there when it is false: there are more pages and records than were counted. */
  readonly pages_exact?: boolean
  readonly next_cursor: string | null
}

export const paginationSchema: JsonSchema = {
  type: 'object',
  description: 'Where this page stands among all pages.',
  required: ['current', 'previous', 'next', 'per_page', 'pages', 'total'],
  properties: {
    current: { type: 'integer', description: 'The page requested.' },
    previous: { type: ['integer', 'null'], description: 'The page before it; null when there is none.' },
    next: { type: ['integer', 'null'], description: 'The page after it; null when there is none.' },
    per_page: { type: 'integer', description: 'Records on a page at most.' },
    pages: {
      type: 'integer',
      description: `Pages available. Exact; a filtered list is counted up to ${limits.counted.value} records.`,
    },
    total: {
      type: 'integer',
      description: `Records on all pages. Exact like pages: a filtered list is counted up to ${limits.counted.value} records.`,
    },
    pages_exact: {
      type: 'boolean',
      description:
        'False where there are more pages and records than pages and total say, and absent otherwise.',
    },
    next_cursor: {
      type: ['string', 'null'],
      description: 'Send it back as cursor to go on from the last record; null at the end.',
    },
  },
}

export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'What went wrong, for a person and for a program.',
  required: ['message', 'code', 'request_id'],
  properties: {
    message: { type: 'string', description: 'A sentence for a person.' },
    code: { type: 'string', description: 'A stable word for a program.' },
    hint: { type: 'string', description: 'For 401: where a credential goes.' },
    errors: {
      type: 'object',
      description: 'For 422: what is wrong, field by field.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    request_id: { type: 'string', description: 'Names this request in the log.' },
  },
}
