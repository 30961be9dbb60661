import type { JsonSchema } from '@zoetrope/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { openApi } from '../../packages/server/src/reference/openapi/document.js'

interface Response {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>
}
interface Described {
  readonly responses: Readonly<Record<string, Response>>
}

const document = openApi({ apiUrl: 'https://api.example.com', version: '1.2.3' })
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true, password: true, uri: true } })
ajv.addSchema({ $id: 'document', components: document.components })
const known = new Map<string, ValidateFunction>()

/** Most schemas are references, so equal schemas are compiled once. */
function compiled(schema: JsonSchema): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/', '"document#/')
  const validate = known.get(text) ?? ajv.compile(JSON.parse(text))
  known.set(text, validate)
  return validate
}

const resolved = (response: Response | undefined): Response | undefined =>
  response?.$ref
    ? (document.components.responses?.[response.$ref.split('/').at(-1) ?? ''] as Response)
    : response

/** Returns how a response differs from the operation's schema, or an empty string if it matches. */
export function brokenPromise(operation: string, status: number, body: unknown): string {
  const [method = '', path = ''] = operation.split(' ')
  const described = document.paths[path]?.[method.toLowerCase()] as Described | undefined
  const answer = resolved(described?.responses[status])
  if (!answer) return `${operation} is not documented to answer ${status}`
  const schema = answer.content?.['application/json']?.schema
  if (!schema) return status === 204 ? '' : `${operation} is not documented to answer ${status} with JSON`
  const validate = compiled(schema)
  return validate(body) ? '' : ajv.errorsText(validate.errors, { dataVar: operation })
}

const places = Object.keys(document.paths).map((path) => ({
  path,
  pattern: new RegExp(`^${path.replace(/[.]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))
// Literal segments take precedence over parameters.
places.sort((a, b) => a.path.split('{').length - b.path.split('{').length)

/** Returns the documented operation that a request line calls, if there is one. */
export function documentedOperation(method: string, address: string): string | undefined {
  const path = (address.split('?', 1)[0] ?? '').replace(/(?<=.)\/+$/, '').replace(/\.json$/, '')
  const place = places.find(
    ({ pattern }) => pattern.test(path) || pattern.test(address.split('?', 1)[0] ?? ''),
  )
  return place && document.paths[place.path]?.[method.toLowerCase()] ? `${method} ${place.path}` : undefined
}
