import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import {
  catalog,
  eventTypesOf,
  filterParameters,
  type JsonSchema,
  otherEvents,
  type Resource,
  shownFields,
} from '@zoetrope/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { openApi } from './document.js'
import { pascalCase } from './names.js'

interface Operation {
  readonly operationId: string
  readonly description: string
  readonly security: Record<string, string[]>[]
  readonly parameters?: {
    readonly name?: string
    readonly in?: string
    readonly required?: boolean
    readonly $ref?: string
    readonly schema?: JsonSchema
  }[]
  readonly requestBody?: object
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
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    formats: { 'date-time': true, password: true, uri: true },
  })
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
  for (const id of ['rotateApp', 'getAccount', 'updateAccount', 'getOwnApp', 'getReadiness', 'createToken'])
    assert.ok(ids.includes(id), id)
  for (const id of ['forgotPassword', 'endSessionsOfConsumer', 'acquirePin', 'statusOfPin'])
    assert.ok(ids.includes(id), id)
})

test('every reference leads somewhere', () => {
  const references = everywhere('$ref', document) as string[]

  assert.ok(references.length > 100)
  for (const reference of references) assert.notEqual(resolve(reference), undefined, reference)
})

const namesOf = (id: string) =>
  find(id).parameters?.map(({ name, $ref }) => name ?? $ref?.split('/').at(-1)) ?? []

test('every filter that a resource declares is a parameter of its list, once', () => {
  for (const resource of (Object.values(catalog) as Resource[]).filter(({ operations }) =>
    operations.includes('list'),
  )) {
    const names = namesOf(`list${pascalCase(resource.plural)}`)
    assert.deepEqual([...new Set(names)], names)
    for (const { parameter } of filterParameters(resource)) assert.ok(names.includes(parameter), parameter)
  }
  const names = namesOf('listVideos')
  for (const name of ['page', 'per_page', 'cursor', 'sort', 'order', 'q', 'deleted', 'response_fields'])
    assert.ok(names.includes(name), name)
})

test('what is asked for beside filters is a parameter, of reading and removing one record too', () => {
  assert.ok(namesOf('getGeoip').includes('ip_address'))
  assert.ok(namesOf('listProgramGuideEntries').includes('disable_pagination'))
  for (const id of ['getZobject', 'deleteZobject']) assert.ok(namesOf(id).includes('zobject_type'), id)
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
    'key_bearer',
    'key_basic',
    'app_key',
    'app_key_header',
    'access_token',
    'bearer',
    'oauth2',
  ])
  assert.deepEqual(writing, ['api_key', 'api_key_header', 'key_bearer', 'key_basic'])
  assert.match(
    find('createVideo').description,
    /Who may call it:\*\* admin key, named key \(with the scope `videos:write`\)\.$/,
  )
  assert.deepEqual(find('getHealth').security, [])
})

test('what belongs to a consumer is open to the access token of that consumer, with the scope for it', () => {
  const { description, security } = find('listVideoFavorites')

  assert.match(description, /access token \(its own consumer only, with the scope `consumer`\)\.$/)
  assert.deepEqual(security.at(-1), { oauth2: ['consumer'] })
  assert.deepEqual(find('listVideos').security.at(-1), { oauth2: [] })
  assert.match(
    find('forgotPassword').description,
    /Who may call it:\*\* admin key, named key \(with the scope `consumers:write`\), app key\.$/,
  )
})

const withStatus = (status: string) =>
  operations.filter(({ responses }) => status in responses).map(({ operationId }) => operationId)

test('404 is promised only where a record is named: in the path, a field or a filter, by a PIN, a code or an address, or by the key that asks', () => {
  const named = Object.entries(document.paths).flatMap(([path, methods]) =>
    (Object.values(methods) as Operation[])
      .map(({ operationId }) => operationId)
      .filter(
        (id) =>
          /\{/.test(path) ||
          /^\/(app|oembed|zobjects|consumer\/(videos|playlists)|redemption_codes\/redeem|pin\/(status|link|unlink))$/.test(
            path,
          ) ||
          ['createUpload', 'startTusUpload'].includes(id),
      ),
  )

  const others = withStatus('404').filter((id) => !named.includes(id))
  assert.deepEqual(
    named.filter((id) => !withStatus('404').includes(id)),
    [],
  )
  // These take the id of another record in a field or in a filter.
  assert.deepEqual(others.sort(), [
    ...[
      'bulkCreate',
      'createAdTag',
      'createApp',
      'createContentRuleProfile',
      'createFeed',
      'createPlan',
      'createPlaylist',
    ],
    ...['createProgramGuide', 'createRedemptionCode', 'createSubscription'],
    ...['createTransaction', 'createUploadToken', 'createVideo', 'createVideoImport', 'createVideoSource'],
    ...['createZobjectType', 'listDevices', 'listFeeds', 'listPlaylists', 'listPlays', 'listProgramGuides'],
    ...['listRedemptionCodes', 'listSubscriptions', 'listTransactions', 'listUploadTokens', 'listUploads'],
    ...['listVideoImports', 'listVideos', 'relationships'],
  ])
  assert.ok(named.includes('listSessions') && named.includes('restoreVideo'))
  assert.ok(!named.includes('acquirePin') && !named.includes('listConsumers'))
})

test('413 is promised only where there is a body, 201 where something is made, 204 where something is removed', () => {
  const every = Object.values(document.paths).flatMap((methods) => Object.values(methods) as Operation[])
  const named = (which: (operation: Operation) => boolean) =>
    every.filter(which).map(({ operationId }) => operationId)
  const isApi = ({ operationId }: Operation) => withStatus('413').includes(operationId)

  assert.ok(withStatus('413').length > 10)
  assert.deepEqual(
    named((operation) => isApi(operation) && !operation.requestBody),
    [],
  )
  assert.deepEqual(
    withStatus('201').filter((name) => !/^(create|acquirePin$|startTus|import|detachUser$)/.test(name)),
    [],
  )
  assert.deepEqual(
    withStatus('204'),
    named(({ operationId }) => /^(delete|describeTus|continueTus|endTus)/.test(operationId)),
  )
})

test('what lives inside a consumer names that consumer in its path', () => {
  const path = document.paths['/consumers/{consumer_id}/video_favorites/{id}'] ?? {}

  assert.deepEqual(Object.keys(path), ['get', 'delete'])
  for (const { parameters } of Object.values(path) as Operation[])
    assert.deepEqual(
      parameters?.slice(0, 2).map(({ name }) => name),
      ['consumer_id', 'id'],
    )
  assert.equal(find('listLinkedDevices').parameters?.[0]?.name, 'consumer_id')
  assert.ok('/consumers/{consumer_id}/devices' in document.paths)
})

test('every path parameter is declared, and no other', () => {
  for (const [path, methods] of Object.entries(document.paths))
    for (const { operationId, parameters = [] } of Object.values(methods) as Operation[])
      assert.deepEqual(
        parameters.filter((each) => each.in === 'path').map(({ name }) => name),
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        operationId,
      )
})

test('an action that reads takes its input from the query string; one without a record returns a message', () => {
  const { parameters, requestBody } = find('statusOfPin')

  assert.equal(requestBody, undefined)
  assert.deepEqual(
    parameters?.slice(0, 1).map(({ name, required }) => [name, required]),
    [['linked_device_id', true]],
  )
  assert.deepEqual(
    everywhere('$ref', find('forgotPassword').responses[200]).includes('#/components/schemas/Message'),
    true,
  )
  assert.ok(
    everywhere('$ref', find('acquirePin').responses[201]).includes('#/components/schemas/PinResponse'),
  )
})

test('a record is documented with exactly the fields of its definition, but for passwords', () => {
  for (const resource of Object.values(catalog) as Resource[])
    assert.deepEqual(
      Object.keys(document.components.schemas[pascalCase(resource.name)]?.properties as object),
      shownFields(resource),
    )
  const written = document.components.schemas.ConsumerInput?.properties as Record<string, JsonSchema>
  assert.equal(written.password?.writeOnly, true)
  assert.match(String(written.stripe_id?.description), /Only the admin key writes it/)
  assert.ok(!JSON.stringify(find('getConsumer').parameters).includes('"password"'))
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

test('the examples of errors match their schemas', () => {
  const ajv = compiler().addSchema({ $id: 'document', components: { schemas: document.components.schemas } })
  const check = (schema: string, value: unknown) =>
    assert.ok(
      ajv.validate({ $ref: `document#/components/schemas/${schema}` }, value),
      `${schema} ${ajv.errorsText()}`,
    )

  for (const [name, response] of Object.entries(document.components.responses ?? {}))
    for (const example of everywhere('example', response).filter((value) => typeof value === 'object'))
      check(name.startsWith('token_') ? 'TokenError' : 'Error', example)
})

test('every component is used, and every operation has a response for wrong requests', () => {
  const text = JSON.stringify(document)
  const unused = Object.entries(document.components).flatMap(([kind, named]) =>
    kind === 'securitySchemes'
      ? []
      : Object.keys(named).filter((name) => !text.includes(`"#/components/${kind}/${name}"`)),
  )
  assert.deepEqual(unused, [])
  const all = [document.paths, document.webhooks].flatMap((each) =>
    Object.values(each).flatMap(Object.values),
  )
  const without = (all as { operationId: string; responses: object }[]).filter(
    ({ responses }) => !Object.keys(responses).some((status) => status.startsWith('4')),
  )
  assert.deepEqual(without, [])
})

test('the webhooks describe every type of event, with the record that it has', () => {
  const described = JSON.stringify(document.webhooks)
  const types = [...Object.values<Resource>(catalog).flatMap(eventTypesOf), ...Object.keys(otherEvents)]
  assert.ok(types.length > 150 && types.includes('video.playable'))
  assert.deepEqual(
    types.filter((type) => !described.includes(`"${type}"`)),
    [],
  )
  assert.ok(JSON.stringify(document.webhooks.video).includes('#/components/schemas/Video"'))
})
