import type { JsonSchema } from '@zoetrope/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { openApi } from '../../packages/server/src/http/openapi/document.js'

interface Described {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> }>
  >
}

const document = openApi({ apiUrl: 'https://api.example.com', version: '1.2.3' })
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true, password: true } })
ajv.addSchema({ $id: 'document', components: document.components })
const known = new Map<JsonSchema, ValidateFunction>()

function compiled(schema: JsonSchema): ValidateFunction {
  const validate =
    known.get(schema) ?? ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')))
  known.set(schema, validate)
  return validate
}

/** How an answer differs from what the document promises of the operation; an empty text if it does not. */
export function brokenPromise(operation: string, status: number, body: unknown): string {
  const [method = '', path = ''] = operation.split(' ')
  const described = document.paths[path]?.[method.toLowerCase()] as Described | undefined
  const answer = described?.responses[status]
  if (!answer) return `${operation} is not documented to answer ${status}`
  const schema = answer.content?.['application/json']?.schema
  if (!schema) return ''
  const validate = compiled(schema)
  return validate(body) ? '' : ajv.errorsText(validate.errors, { dataVar: operation })
}
