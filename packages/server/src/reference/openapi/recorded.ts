import { readFileSync } from 'node:fs'
import type { JsonSchema } from '@zoetrope/contract'
import type { PlacedOperation } from './operations.js'
import { type SdkCall, sdkCalls } from './sdk-calls.js'

interface Recorded {
  readonly operation: string
  readonly path: string
  readonly body?: unknown
  /** Sent as a form, with what proves who asks in it. */
  readonly form?: Readonly<Record<string, string>>
  /** Asked by anybody. */
  readonly isOpen?: true
  readonly status: number
  readonly answer?: unknown
}

/** The relative path is the same in `src` and in `dist`. */
const file = new URL('../../../assets/reference/examples.jsonl', import.meta.url)

/**
 * What tests sent and were answered, by its verb and documented path; ids, times and secrets are replaced. The file has one
 * call in a line, and is written by `npm run generate -- examples`.
 */
export const recordedExamples: ReadonlyMap<string, Recorded> = new Map(
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)
    .map((recorded) => [recorded.operation, recorded]),
)

interface RecordedContent {
  readonly 'application/json'?: { readonly schema: JsonSchema }
}
interface RecordedOperation {
  readonly requestBody?: { readonly content: RecordedContent }
  readonly responses: Readonly<Record<string, { readonly content?: RecordedContent }>>
}

/** Operations with a request and an answer that a test really sent and got. */
export const withRecorded =
  (apiUrl: string) =>
  ({ path, method, operation }: PlacedOperation): PlacedOperation => {
    const recorded = recordedExamples.get(`${method.toUpperCase()} ${path}`)
    if (!recorded) return { path, method, operation }
    const { requestBody, responses } = operation as RecordedOperation
    const response = responses[recorded.status]
    const sent = recorded.body ?? recorded.form
    const call = sdkCalls.get(recorded.operation)
    return {
      path,
      method,
      operation: {
        ...operation,
        ...(requestBody && sent
          ? { requestBody: { ...requestBody, content: shown(requestBody.content, sent) } }
          : {}),
        responses: {
          ...responses,
          ...(response?.content && recorded.answer
            ? { [recorded.status]: { ...response, content: shown(response.content, recorded.answer) } }
            : {}),
        },
        'x-codeSamples': [
          { lang: 'Shell', label: 'curl', source: asCommand(apiUrl, method, recorded) },
          ...(call ? [{ lang: 'TypeScript', label: 'SDK', source: asCode(path, recorded, call) }] : []),
        ],
      },
    }
  }

function shown(content: RecordedContent, value: unknown): object {
  const json = content['application/json']
  if (!json) return content
  return { ...content, 'application/json': { schema: json.schema, examples: { recorded: { value } } } }
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function asCommand(apiUrl: string, method: string, { path, body, form, isOpen }: Recorded): string {
  return [
    `curl${method === 'get' || form ? '' : ` -X ${method.toUpperCase()}`} ${quoted(apiUrl + path)}`,
    ...(form || isOpen ? [] : [`-H 'X-Api-Key: <key>'`]),
    ...Object.entries(form ?? {}).map(([name, value]) => `-d ${quoted(`${name}=${value}`)}`),
    ...(body ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`] : []),
  ].join(' \\\n  ')
}

/** The same request as a call of the SDK. */
function asCode(
  documented: string,
  { path, body }: Recorded,
  { method, ids, takes, wrapper }: SdkCall,
): string {
  const [address = '', search] = path.split('?')
  const parts = address.split('/')
  const places = documented.split('/')
  const query = Object.fromEntries(new URLSearchParams(search))
  const fields = (body as Readonly<Record<string, unknown>> | undefined)?.[wrapper] ?? body ?? {}
  const taken = { fields, query }
  const isEmpty = Object.keys(query).length === 0
  const given = [
    ...ids.map((id) => parts[places.indexOf(`{${id}}`)] ?? ''),
    ...(takes === 'fields' || (takes === 'query' && !isEmpty) ? [taken[takes]] : []),
    ...(takes !== 'query' && !isEmpty ? [{ query }] : []),
  ]
  return `await ${method}(${given.map(codeOf).join(', ')})`
}

/** A value as JavaScript writes it. */
function codeOf(value: unknown): string {
  const json = JSON.stringify(value, null, 2)
  return json.replace(/^(\s*)"([a-z_]\w*)":/gim, '$1$2:').replace(/"((?:[^"\\']|\\[^"])*)"(?=,?$)/gm, "'$1'")
}
