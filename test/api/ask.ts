import { Agent, request } from 'node:http'
import type { Pagination } from '@zoetrope/sdk'
import type { Format } from '../support/api.js'
import { fromXml } from '../support/xml-fetch.js'

/** The content of a response, in either format. */
interface Body {
  readonly response: Readonly<Record<string, unknown>> & readonly Readonly<Record<string, unknown>>[]
  readonly pagination: Pagination
  readonly message: string
  readonly code: string
  readonly hint: string
  readonly notices: readonly string[]
  readonly errors: Readonly<Record<string, readonly string[]>>
  readonly request_id: string
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Body
}

const isFile = (type: string) => /subrip|vtt/.test(type)

const contentTypes = { json: {}, xml: { 'content-type': 'text/xml' } } as const

/** What is not understood is an error in tests. One that sends such things on purpose overrides it with `lenient`. */
const strict = { 'zoetrope-strict': '1' }
export const lenient = { 'zoetrope-strict': '0' }

/** Sends a plain request, for tests of the wire format. XML is requested as the specification describes. */
export async function ask(address: string, format: Format = 'json', init: RequestInit = {}): Promise<Reply> {
  const headers = { ...strict, ...contentTypes[format], ...(init.headers as Record<string, string>) }
  const { body, method, ...others } = init
  const isPlain = (body === undefined || typeof body === 'string') && Object.keys(others).every(isHeaders)
  const {
    status,
    headers: answered,
    text,
  } = isPlain
    ? await sendPlain(address, method ?? 'GET', headers, body)
    : await sendAny(address, { ...init, headers })
  const type = answered.get('content-type') ?? ''
  const read = text === '' || isFile(type) ? {} : /xml/.test(type) ? fromXml(text) : JSON.parse(text)
  return { status, headers: answered, text, body: read as Body }
}

const isHeaders = (option: string) => option === 'headers'

type Answer = Omit<Reply, 'body'>

async function sendAny(address: string, init: RequestInit): Promise<Answer> {
  const reply = await fetch(address, init)
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}

const agent = new Agent({ keepAlive: true })

/** Most requests of the tests are of this kind. `fetch` takes twice the processor time. A GET follows redirects. */
function sendPlain(
  address: string,
  method: string,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const typed =
      body === undefined
        ? {}
        : { 'content-type': 'text/plain;charset=UTF-8', 'content-length': String(Buffer.byteLength(body)) }
    const outgoing = request(
      address,
      { agent, method, headers: { accept: '*/*', ...typed, ...lowered(headers) } },
      (incoming) => {
        const { statusCode: status = 0, headers: answered } = incoming
        let text = ''
        incoming.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        incoming.on('error', reject).on('end', () => {
          if (status > 300 && status < 304 && method === 'GET')
            return resolve(sendAny(new URL(answered.location ?? '', address).href, { headers }))
          resolve({ status, headers: headersOf(incoming.rawHeaders), text })
        })
      },
    )
    outgoing.on('error', reject).end(body)
  })
}

/** The default content type gives way to a given one, however it is written. */
const lowered = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers()
  for (let index = 0; index < raw.length; index += 2)
    headers.append(raw[index] as string, raw[index + 1] as string)
  return headers
}
