import {
  type Action,
  actionPath,
  actionSchema,
  actsOnMember,
  type CredentialKind,
  catalog,
  confirmedFields,
  documentedPath,
  type ErrorStatus,
  type Field,
  filtersByName,
  kindsAllowed,
  needsConfirmation,
  type Operation,
  operations,
  pathOf,
  type Resource,
  scopeFor,
} from '@zoetrope/contract'
import { actionNames, kindName, oneOf, pascalCase, tagOf } from './names.js'
import {
  changeOptions,
  listParameters,
  ownListParameters,
  pathParameters,
  queryParameters,
  requestOptions,
  responseFields,
  writeOptions,
} from './parameters.js'
import { errorsOf, readable, readableFile, readablePage, success, written } from './responses.js'
import { documented, forestSchema, schemaRef, withSpokenDefaults } from './schemas.js'
import { securityOf } from './security.js'

/** One operation of the document, with the place it belongs to. */
export interface PlacedOperation {
  readonly path: string
  readonly method: string
  readonly operation: object
}

/** An operation that the catalog does not describe. */
export const placed = (
  method: string,
  path: string,
  tag: string,
  [operationId, summary, description]: readonly [id: string, summary: string, description: string],
  rest: { readonly security?: object; readonly responses: object; readonly [part: string]: unknown },
): PlacedOperation => ({
  path,
  method,
  operation: { operationId, summary, tags: [tag], description, security: [], ...rest },
})

const verbs = { list: 'list', get: 'get', create: 'create', update: 'update', remove: 'delete' } as const

export function resourceOperations(resource: Resource): PlacedOperation[] {
  return [
    ...resource.operations.map((operation) => standardOperation(resource, operation)),
    ...Object.entries(resource.actions).map(([name, action]) => actionOperation(resource, name, action)),
  ]
}

function standardOperation(resource: Resource, name: Operation): PlacedOperation {
  const { method, about } = operations[name]
  const many = name === 'list'
  const record = pascalCase(resource.name)
  return {
    path: documentedPath(resource, pathOf(resource, name)),
    method: method.toLowerCase(),
    operation: {
      operationId: `${verbs[name]}${many ? pascalCase(resource.plural) : record}`,
      summary: `${about} ${many ? resource.plural.replaceAll('_', ' ') : oneOf(resource)}`,
      ...common(resource, name, descriptionOf(resource, name)),
      ...parametersOf(resource, name),
      ...(name === 'create' ? { requestBody: recordBody(resource, `${record}Input`) } : {}),
      ...(name === 'update' ? { requestBody: recordBody(resource, `${record}Update`) } : {}),
      responses: {
        ...answerOf(resource, name),
        ...errorsOf(
          ...possibleErrors(canMiss(resource, name), writes(name), name === 'create' || name === 'update'),
          ...(name === 'update' || name === 'remove' ? ([412] as const) : []),
        ),
      },
    },
  }
}

function actionOperation(resource: Resource, name: string, action: Action): PlacedOperation {
  const onMember = actsOnMember(resource, name)
  const reads = action.method === 'GET'
  const parameters = [
    ...pathParameters(resource, onMember),
    ...(reads && action.body ? queryParameters(action.body) : []),
    ...(reads && action.answers === 'list' ? listParameters(listed(action)) : []),
    ...(reads ? [] : writeOptions),
    ...requestOptions,
  ]
  return {
    path: documentedPath(resource, actionPath(resource, name)),
    method: action.method.toLowerCase(),
    operation: {
      ...actionNames(resource, name, action),
      ...common(resource, name, action.about),
      parameters,
      ...(action.body && !reads ? { requestBody: actionBody(action.body) } : {}),
      responses: {
        ...actionAnswer(resource, action),
        ...errorsOf(
          ...possibleErrors(onMember || names(action), !reads, action.body !== undefined && !reads),
        ),
      },
    },
  }
}

/** The resource of the catalog whose records an action lists. */
const listed = ({ of }: Action): Resource =>
  Object.values<Resource>(catalog).find(({ name }) => name === of?.name) as Resource

/** Whether the fields of an action name something that may not be there: a device, a PIN, a consumer. */
const names = ({ answers, success, body = {} }: Action) =>
  (answers === undefined && success === undefined) || Object.values(body).some(isId)

function actionAnswer(resource: Resource, action: Action): Record<string, object> {
  if (action.answers === 'list') return listAnswer(action)
  if (action.answers === 'tree' && action.of) return { 200: success('All of them.', forestSchema(action.of)) }
  if (action.answers === 'file') return readableFile(action.types ?? [])
  const status = action.success ?? 200
  if (action.answers === 'message')
    return { [status]: written('It is so; the message says what.', schemaRef('Message')) }
  const record = schemaRef(`${pascalCase(resource.name)}Response`)
  if (action.method === 'GET') return readable('The record.', record)
  return { [status]: written('The record as it is now.', record) }
}

function listAnswer(action: Action): Record<string, object> {
  const page = schemaRef(`${pascalCase(listed(action).name)}List`)
  if (action.method === 'GET') return readablePage(page)
  return { [action.success ?? 200]: written('The first page as it is now.', page) }
}

/** What every operation says: where it stands, what it does and who may call it. */
function common(resource: Resource, operation: string, about: string): object {
  const kinds = kindsAllowed(resource, operation)
  return {
    tags: [tagOf(resource)],
    description: `${about}\n\n**Who may call it:** ${kinds.map((kind) => callerIn(resource, operation, kind)).join(', ')}.${confirmationNote(resource, operation)}`,
    security: securityOf(kinds, isPersonal(resource) ? 'consumer' : 'public'),
  }
}

/** What people in the dashboard have to confirm with their password. */
function confirmationNote(resource: Resource, operation: string): string {
  const fields = confirmedFields(resource, operation)
  if (!needsConfirmation(resource, operation) && fields.length === 0) return ''
  const what = fields.length > 0 ? ` to set ${fields.map((name) => `\`${name}\``).join(', ')}` : ''
  return ` In the dashboard, the password must have been confirmed in the last five minutes${what}.`
}

const isPersonal = ({ personal, within }: Resource) => personal || within?.personal === true

/** A named key needs a scope. An access token reaches what is its own consumer's, and only if it was issued for that. */
function callerIn(resource: Resource, operation: string, kind: CredentialKind): string {
  if (kind === 'named') return `${kindName(kind)} (with the scope \`${scopeFor(resource, operation)}\`)`
  const own = kind === 'consumer' && isPersonal(resource)
  return own ? `${kindName(kind)} (its own consumer only, with the scope \`consumer\`)` : kindName(kind)
}

function descriptionOf(resource: Resource, operation: Operation): string {
  const { keptDays, about } = resource
  const kept = `It is kept for ${keptDays} days and can be brought back until then.`
  const sentences: Record<Operation, string> = {
    list: `${about} One page at a time, narrowed by filters and sorted as asked.`,
    get: about,
    create: 'Returns the new record.',
    update: 'Changes the fields that are sent and leaves the others as they are; returns the whole record.',
    remove: keptDays ? `Removes the record. ${kept}` : 'Removes the record for good.',
  }
  return sentences[operation]
}

function parametersOf(resource: Resource, operation: Operation): object {
  if (operation === 'list')
    return {
      parameters: [...pathParameters(resource, false), ...ownListParameters(resource), ...requestOptions],
    }
  const ids = pathParameters(resource, operations[operation].onMember && !resource.single)
  const named = [...ids, ...queryParameters(resource.memberOptions)]
  const asked: Partial<Record<Operation, object[]>> = {
    get: [...named, ...queryParameters(resource.readOptions), responseFields(resource)],
    update: [...ids, ...changeOptions],
    remove: [...named, ...changeOptions],
  }
  return { parameters: [...(asked[operation] ?? [...ids, ...writeOptions]), ...requestOptions] }
}

function answerOf(resource: Resource, operation: Operation): Record<string, object> {
  const record = pascalCase(resource.name)
  const whole = schemaRef(`${record}Response`)
  if (operation === 'list') return readablePage(schemaRef(`${record}List`))
  if (operation === 'get') return readable('The record.', whole)
  const gone = written('It is gone; there is no body.')
  return { [operations[operation].success]: operation === 'remove' ? gone : written('The record.', whole) }
}

/** What an app or a consumer reads about itself is not there for a key. */
const isOfCaller = ({ access }: Resource) => Object.keys(access).length > 0 && !access.read_only

/** Whether a field holds ids, or something that does. */
function isId(field: Field): boolean {
  if (field.kind === 'list') return isId(field.of)
  return field.kind === 'id' || (field.kind === 'objects' && Object.values(field.of).some(isId))
}

const isOther = (name: string) => name.endsWith('_id') && name !== '_id' && name !== 'site_id'

/** Whether the request may name records beside the one in its path: in a field or in a filter. */
function namesOthers(resource: Resource, operation: Operation): boolean {
  if (operation === 'list')
    return [...filtersByName(resource)].some(([name, { field }]) => isOther(name) && isId(field))
  return (
    operation === 'create' && Object.values(resource.fields).some((field) => !field.computed && isId(field))
  )
}

/** Whether a record may be missing: the request names it or the one it is inside of, or it follows from the caller. */
const canMiss = (resource: Resource, operation: Operation) =>
  resource.within !== undefined ||
  namesOthers(resource, operation) ||
  // The kind of record stands in the request, and may not exist.
  Object.keys(resource.memberOptions).length > 0 ||
  (resource.derived && !resource.operations.includes('create') && isOfCaller(resource)) ||
  (operations[operation].onMember && !resource.single)

const writes = (operation: Operation) => operation !== 'list' && operation !== 'get'

function possibleErrors(missable: boolean, isWrite: boolean, hasBody: boolean): ErrorStatus[] {
  const missing: ErrorStatus[] = missable ? [404] : []
  const conflicts: ErrorStatus[] = isWrite ? [409] : []
  const ofBodies: ErrorStatus[] = hasBody ? [408, 413] : []
  const onDisk: ErrorStatus[] = isWrite ? [507] : []
  // 422 can happen to every call: two credentials at once are refused with it.
  return [401, 403, ...missing, ...conflicts, ...ofBodies, 422, 429, 500, 503, ...onDisk]
}

/** A record to write, wrapped in the singular name; in a form the name stands before the brackets. */
function recordBody(resource: Resource, schemaName: string): object {
  const fields = schemaRef(schemaName)
  const schema = { type: 'object', required: [resource.name], properties: { [resource.name]: fields } }
  const form = { schema, encoding: { [resource.name]: { style: 'deepObject', explode: true } } }
  return {
    required: true,
    content: {
      'application/json': { schema },
      'application/x-www-form-urlencoded': form,
      'multipart/form-data': form,
      'application/xml': { schema: fields },
      'text/xml': { schema: fields },
    },
  }
}

function actionBody(fields: NonNullable<Action['body']>): object {
  const schema = withSpokenDefaults(documented(actionSchema(fields), fields))
  const types = [
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/xml',
    'text/xml',
  ]
  const required = Object.values(fields).some((field) => field.required)
  return { required, content: Object.fromEntries(types.map((type) => [type, { schema }])) }
}
