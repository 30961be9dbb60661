import type { Pagination } from '@zoetrope/sdk'
import type { Format } from '../support/api.js'
import { fromXml } from '../support/xml-fetch.js'

/** The content of a response, in either format. */
interface Body {
  readonly response: Readonly<Record<string, unknown>> & readonly Readonly<Record<string, unknown>>[]
  readonly pagination: Pagination
  readonly message: string
  readonly code: string
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

/** Sends a plain request, for tests of the wire format. XML is requested as the specification describes. */
export async function ask(address: string, format: Format = 'json', init: RequestInit = {}): Promise<Reply> {
  const headers = { ...contentTypes[format], ...(init.headers as Record<string, string>) }
  const reply = await fetch(address, { ...init, headers })
  const text = await reply.text()
  const type = reply.headers.get('content-type') ?? ''
  const body = (
    text === '' || isFile(type) ? {} : /xml/.test(type) ? fromXml(text) : JSON.parse(text)
  ) as Body
  return { status: reply.status, headers: reply.headers, text, body }
}
