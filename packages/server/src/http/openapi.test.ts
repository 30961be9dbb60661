import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { catalog, filterParameters, type JsonSchema, limits, statuses } from '@zoetrope/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { openApi } from './openapi.js'

interface Operation {
  readonly operationId: string
  readonly description: string
  readonly security: Record<string, string[]>[]
  readonly parameters?: { readonly name?: string; readonly $ref?: string; readonly schema?: JsonSchema }[]
  readonly responses: Record<string, object>
}

const document = openApi({ apiUrl: 'https://api.example.com', version: '1.2.3' })
const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as Operation[])
const find = (id: string) => operations.find(({ operationId }) => operationId === id) as Operation

/** Every value under a key of this name, anywhere in the document. */
function everywhere(key: string, within: unknown): unknown[] {
  if (typeof within !== 'object' || within === null) return []
  return Object.entries(within).flatMap(([name, value]) => [
    ...(name === key ? [value] : []),
    ...everywhere(key, value),
  ])
}

function resolve(reference: string): unknown {
  const steps = reference.replace(/^#\//, '').split('/')
  return steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)?.[step], document)
}

function compiler() {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { 'date-time': true } })
  ajv.addVocabulary(['xml', 'components'])
  return ajv
}

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never)

  assert.ok(valid, JSON.stringify(errors))
  assert.deepEqual(document.servers, [{ url: 'https://api.example.com' }])
})

test('every operation has a name of its own', () => {
  const ids = operations.map(({ operationId }) => operationId)

  assert.deepEqual([...new Set(ids)], ids)
  for (const id of ['listVideos', 'getVideo', 'createVideo', 'updateVideo', 'deleteVideo', 'restoreVideo'])
    assert.ok(ids.includes(id), id)
  for (const id of ['rotateApp', 'getAccount', 'updateAccount', 'getReadiness'])
    assert.ok(ids.includes(id), id)
})

test('every reference leads somewhere', () => {
  const references = everywhere('$ref', document) as string[]

  assert.ok(references.length > 100)
  for (const reference of references) assert.notEqual(resolve(reference), undefined, reference)
})

test('every filter that videos declare is a parameter of their list, once', () => {
  const names = find('listVideos').parameters?.map(({ name, $ref }) => name ?? $ref?.split('/').at(-1)) ?? []

  assert.deepEqual([...new Set(names)], names)
  for (const { parameter } of filterParameters(catalog.videos))
    assert.ok(names.includes(parameter), parameter)
  for (const name of ['page', 'per_page', 'cursor', 'sort', 'order', 'q', 'deleted', 'response_fields'])
    assert.ok(names.includes(name), name)
})

test('every operation says who may call it and what can go wrong', () => {
  for (const { operationId, security, responses } of operations) {
    assert.ok(Array.isArray(security), operationId)
    assert.ok(
      Object.keys(responses).some((status) => Number(status) >= 400),
      operationId,
    )
  }
})

test('security follows the access table: apps read videos, only the admin key writes them', () => {
  const reading = find('listVideos').security.flatMap(Object.keys)
  const writing = find('createVideo').security.flatMap(Object.keys)

  assert.deepEqual(reading, [
    'api_key',
    'api_key_header',
    'app_key',
    'app_key_header',
    'access_token',
    'bearer',
  ])
  assert.deepEqual(writing, ['api_key', 'api_key_header'])
  assert.match(find('createVideo').description, /Who may call it:\*\* admin key\.$/)
  assert.deepEqual(find('getHealth').security, [])
})

test('404 is promised only where one record is named, 413 only where there is a body', () => {
  const withStatus = (status: string) =>
    operations.filter(({ responses }) => status in responses).map(({ operationId }) => operationId)

  assert.deepEqual(withStatus('404'), [
    'getVideo',
    'updateVideo',
    'deleteVideo',
    'restoreVideo',
    'getApp',
    'updateApp',
    'deleteApp',
    'rotateApp',
  ])
  assert.deepEqual(withStatus('413'), [
    'createVideo',
    'updateVideo',
    'createApp',
    'updateApp',
    'rotateApp',
    'updateAccount',
  ])
  assert.deepEqual(withStatus('204'), ['deleteVideo', 'deleteApp'])
})

test('a record is documented with exactly the fields of its definition', () => {
  for (const [name, resource] of [
    ['Video', catalog.videos],
    ['App', catalog.apps],
    ['Account', catalog.account],
  ] as const)
    assert.deepEqual(
      Object.keys(document.components.schemas[name]?.properties as object),
      Object.keys(resource.fields),
    )
})

test('computed fields can be read and not written', () => {
  const written = document.components.schemas.VideoInput?.properties as Record<string, JsonSchema>
  const read = document.components.schemas.Video?.properties as Record<string, JsonSchema>

  assert.equal(written.status, undefined)
  assert.equal(read.status?.readOnly, true)
  assert.deepEqual(document.components.schemas.VideoInput?.required, ['title'])
  assert.equal(document.components.schemas.VideoUpdate?.required, undefined)
  assert.deepEqual(everywhere('default', document.components.schemas.VideoUpdate), [])
})

test('every schema is strict JSON Schema 2020-12', () => {
  const ajv = compiler().addSchema({ $id: 'document', components: { schemas: document.components.schemas } })
  const absolute = (schema: JsonSchema) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))

  for (const [name, schema] of Object.entries(document.components.schemas)) {
    assert.doesNotThrow(() => ajv.compile(absolute(schema)), name)
    for (const property of Object.values((schema.properties as Record<string, JsonSchema>) ?? {}))
      assert.doesNotThrow(() => ajv.compile(absolute(property)), `${name}: ${JSON.stringify(property)}`)
  }
  for (const { parameters = [] } of operations)
    for (const { schema } of parameters) if (schema) assert.doesNotThrow(() => ajv.compile(schema))
})

test('the examples are what the schemas promise', () => {
  const ajv = compiler().addSchema({ $id: 'document', components: { schemas: document.components.schemas } })
  const check = (schema: string, value: unknown) =>
    assert.ok(
      ajv.validate({ $ref: `document#/components/schemas/${schema}` }, value),
      `${schema} ${ajv.errorsText()}`,
    )
  const examples = document.components.examples as Record<string, { value: Record<string, unknown> }>

  for (const name of ['VideoResponse', 'VideoList', 'AppResponse', 'AppList', 'AccountResponse'])
    check(name, examples[name]?.value)
  check('VideoInput', examples.VideoRequest?.value.video)
  check('AppInput', examples.AppRequest?.value.app)
  check('AccountUpdate', examples.AccountRequest?.value.account)
  for (const response of Object.values(document.components.responses ?? {}))
    for (const example of everywhere('example', response).filter((value) => typeof value === 'object'))
      check('Error', example)
})

test('the introduction prints every limit and every error', () => {
  const { description } = document.info as { description: string }

  for (const name of Object.keys(limits)) assert.match(description, new RegExp(`\\| \`${name}\` \\|`))
  for (const { code } of Object.values(statuses)) assert.match(description, new RegExp(`\\| \`${code}\` \\|`))
})
