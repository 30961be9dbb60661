import type { FastifyReply } from 'fastify'
import { invalid } from '../errors.js'
import { readFlag } from '../lib/read-scalar.js'
import { type Ignored, unknownParameters, unknownResponseFields } from '../lib/unknown-parameters.js'
import type { Answer } from '../resources/feature.js'
import { flagIn } from '../resources/projection.js'
import { queryOf } from './brackets.js'
import type { Exchange } from './exchange.js'
import { unknownFields } from './unknown-fields.js'

declare module 'fastify' {
  interface FastifyReply {
    /** Which parts of the request were ignored, in sentences. */
    notices: readonly string[] | undefined
  }
}

/** A request whose ignored parts are reported; of a player request the caller is not known yet. */
interface Reported extends Pick<Exchange, 'request' | 'reply'> {
  readonly principal?: Exchange['principal'] | undefined
}

/** A header has to stay short. */
const most = 10

/** Makes a name safe for a header, which limits characters and length. */
const printable = (name: string) => `"${name.slice(0, 60).replace(/[^\w.!-]/g, '?')}"`

const partOf = ({ name, value }: Ignored) =>
  value === undefined ? printable(name) : `${name} ${printable(value)}`

/** Whether what is not understood is an error: because the request says so, or its key. */
export function isStrict({ request, principal }: Reported): boolean {
  return principal?.isStrict || saysStrict(request) || flagIn(queryOf(request), 'strict')
}

/** Whether a header asks for it. The address is part of the key of kept answers, and the caller is compared. */
export const saysStrict = ({ headers }: Exchange['request']): boolean =>
  headers['zoetrope-strict'] !== undefined && readFlag(String(headers['zoetrope-strict'])) === true

/** Reports what a request has that its operation does not understand. Throws 422 if it is strict. */
export function reportUnknown(exchange: Exchange): void {
  const { request, resource, endpoint, fields } = exchange
  const query = queryOf(request)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  // The attributes of their type are filters too, which only their feature knows.
  const isOpen = resource.name === 'zobject'
  report(exchange, [
    ...(!isRead ? unknownFields(resource, endpoint, fields, query) : []),
    ...(isRead && !isOpen ? unknownParameters(resource, endpoint.name, query) : []),
    ...(isRead && !isOpen ? unknownResponseFields(endpoint.shown, query) : []),
  ])
}

/** Reports parts of a request that are ignored. Throws 422 if it is strict. */
export function report(exchange: Reported, found: readonly Ignored[]): void {
  if (found.length === 0) return
  // Records of a list often have the same unknown field.
  const ignored = [...new Map(found.map((each) => [`${each.name} ${each.value}`, each])).values()]
  if (isStrict(exchange)) throw notUnderstood(ignored)
  const { reply } = exchange
  const sentences = ignored.slice(0, most).map((each) => `${partOf(each)} was ignored: ${each.why()}`)
  const others = ignored.length - sentences.length
  const said = new Set([...(reply.notices ?? []), ...sentences])
  reply.notices = [...said, ...(others > 0 ? [`${others} more were ignored`] : [])].slice(0, most + 1)
}

export function notUnderstood(ignored: readonly Ignored[]) {
  const shown = ignored.slice(0, most)
  const sentences = shown.map((each) => `${partOf(each)} is not understood: ${each.why()}.`)
  const errors = shown.map(({ name, why }) => [name.slice(0, 60), [`is not understood: ${why()}`]] as const)
  return invalid(sentences.join(' '), Object.fromEntries(errors))
}

/** The value of X-Notice. */
export const noticeOf = ({ notices }: FastifyReply): string | undefined => notices?.join('; ')

/** Adds `notices` to the body of an answer if the request asks for it. */
export function withNotices({ request, reply }: Exchange, answer: Answer): Answer {
  if (!request.url.includes('notices') || !flagIn(queryOf(request), 'notices')) return answer
  const { json } = answer
  const text = json.toString()
  const notices = JSON.stringify(reply.notices ?? [])
  return { ...answer, json: `${text.slice(0, text.lastIndexOf('}'))},"notices":${notices}}` }
}
