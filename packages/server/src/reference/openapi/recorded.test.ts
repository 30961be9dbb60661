import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonSchema } from '@zoetrope/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { openApi } from './document.js'
import { recordedExamples } from './recorded.js'

interface Described {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> }>
  >
}

const document = openApi({ apiUrl: 'https://api.example.com', version: '1.2.3' })

test('every heading stands in one chapter', () => {
  const names = document.tags.map(({ name }) => name)
  const grouped = document['x-tagGroups'].flatMap(({ tags }) => tags)

  assert.deepEqual([...new Set(names)], names)
  assert.deepEqual([...grouped].sort(), [...names].sort())
})

/** Without what a record must have: a field that came later is no lie of what was recorded before. */
const withoutRequired = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutRequired)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(([key, value]) => key !== 'required' || !Array.isArray(value))
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutRequired(value)]))
}

test('operations on records have a request and an answer that a test recorded, as the schemas promise', () => {
  const schemas = withoutRequired(document.components.schemas) as object
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true, password: true } })
  ajv.addSchema({ $id: 'document', components: { schemas } })
  const absolute = (schema: JsonSchema) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))

  assert.ok(recordedExamples.size > 150)
  for (const { operation, status, answer } of recordedExamples.values()) {
    const [method = '', path = ''] = operation.split(' ')
    const described = document.paths[path]?.[method.toLowerCase()] as Described | undefined
    const json = described?.responses[status]?.content?.['application/json']
    if (answer === undefined || !json) continue
    assert.ok(
      ajv.validate(absolute(json.schema), answer),
      `${operation}: ${ajv.errorsText()}. Run \`npm run generate -- examples\` and commit what it writes.`,
    )
  }
})

/** Every place with a schema and examples beside it: bodies, answers, parameters, and values in schemas. */
function examplesIn(node: unknown, at: string): { at: string; schema: JsonSchema; value: unknown }[] {
  if (typeof node !== 'object' || node === null) return []
  const { schema, example, examples, ...rest } = node as Record<string, unknown>
  const listed = Array.isArray(examples) ? examples : []
  const named = Object.values(schema && examples && !Array.isArray(examples) ? examples : {})
  return [
    ...(schema && example !== undefined ? [{ at, schema: schema as JsonSchema, value: example }] : []),
    ...named.map((given) => ({
      at,
      schema: schema as JsonSchema,
      value: (resolved(given) as { value: unknown }).value,
    })),
    ...listed.map((value) => ({ at, schema: rest, value })),
    ...Object.entries(node).flatMap(([key, inner]) => examplesIn(inner, `${at}/${key}`)),
  ]
}

function resolved(given: unknown): unknown {
  const { $ref } = given as { $ref?: string }
  const steps = $ref?.slice(2).split('/') ?? []
  return $ref
    ? steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], document)
    : given
}

test('every example anywhere in the document is what the schema beside it says', () => {
  const ajv = new Ajv2020({
    strict: false,
    formats: { 'date-time': true, password: true, uri: true, binary: true },
  })
  ajv.addSchema({ $id: 'document', components: document.components })
  const compiled = new Map<string, ValidateFunction>()
  const found = examplesIn(document, '')

  assert.ok(found.length > 500)
  const broken = found.filter(({ schema, value }) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"document#/')
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, validate)
    const known = 'properties' in schema ? Object.keys(schema.properties as object) : undefined
    return !validate(value) || (known && Object.keys(value as object).some((name) => !known.includes(name)))
  })
  assert.deepEqual(
    broken.map(({ at }) => at),
    [],
  )
})

/** Operations that return a film, a picture, a page, a file or this document, or use tus. Their descriptions say what they return. */
const withoutExample =
  /^\S+ \/(uploads\/tus|manifest|thumbnail|animated|embed|watch|oembed|oauth\/authorize|metrics|openapi\.json|videos\/\{id\}\/(events|player)|playlists\/\{id\}\/carousel|feeds\/\{id\}\/(mrss|rss|json))\b/

test('every operation shows a call that a test made, and what was answered', () => {
  const missing = Object.entries(document.paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((operation) => !recordedExamples.has(operation) && !withoutExample.test(operation))
  assert.deepEqual(missing, [], 'Run `npm run generate -- examples` and commit what it writes.')
})
