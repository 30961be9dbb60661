import { statuses } from '@zoetrope/contract'
import { XMLValidator } from 'fast-xml-parser'
import { bytesOf, type RawAnswer } from '../raw-http.js'
import { fromXml } from '../xml-fetch.js'
import type { Shot } from './hostile-requests.js'

const formats = { 'application/xml': 'xml', 'application/json': 'json' } as const
const formatOf = ({ headers }: RawAnswer) =>
  formats[(headers.get('content-type') ?? '').split(';')[0] as keyof typeof formats]

/** Returns what is wrong with a response, or undefined. */
export function faultOf(shot: Shot, answer: RawAnswer): string | undefined {
  const { status, text } = answer
  // oEmbed refuses a format with 501.
  if (!(status >= 200 && status < 500) && status !== 501) return `status ${status}: ${text.slice(0, 300)}`
  if (shot.method === 'HEAD' || status === 204 || status === 304) return undefined
  return isPage(answer) || isDownload(answer) ? leakFault(text) : contentFault(shot, answer)
}

function contentFault(shot: Shot, answer: RawAnswer): string | undefined {
  const { status, text } = answer
  const format = formatOf(answer)
  if (shot.format && format !== shot.format) return `${format} instead of ${shot.format}`
  if (format === 'xml' && XMLValidator.validate(text) !== true) return `broken XML: ${text.slice(0, 300)}`
  return status < 300
    ? undefined
    : refusalFault((format === 'xml' ? fromXml(text) : JSON.parse(text)) as object, text)
}

/** Codes for the statuses of tus, and for features of the hosted service that are not offered here. */
const furtherCodes = [
  'bad_request',
  'conflict',
  'gone',
  'precondition_failed',
  'unsupported_media_type',
  'not_offered',
]

function refusalFault(
  body: { message?: unknown; code?: unknown; error?: unknown },
  text: string,
): string | undefined {
  if (typeof body.message !== 'string' || body.message === '') return `no message: ${text.slice(0, 300)}`
  // The token endpoints use `error`, as their standard requires.
  const isCode =
    typeof body.error === 'string' ||
    Object.values(statuses).some(({ code }) => code === body.code) ||
    furtherCodes.includes(String(body.code))
  return isCode ? leakFault(text) : `code ${body.code}`
}

const isPage = ({ headers }: RawAnswer) => (headers.get('content-type') ?? '').startsWith('text/html')
const isDownload = ({ headers }: RawAnswer) =>
  (headers.get('content-disposition') ?? '').startsWith('attachment')
const leakFault = (text: string) =>
  /node_modules|\.[tj]s:\d|\bselect\b.*\bfrom\b/.test(text) ? `tells too much: ${text}` : undefined

/** Returns the request as sent, without its key, so that it can be repeated. */
export function described(shot: Shot): string {
  const bytes = bytesOf(shot)
  const shown = bytes
    .subarray(0, 1500)
    .toString('latin1')
    .replaceAll(/\bz[kst]_\w+_[0-9a-f]{40}/g, '<key>')
  return `${JSON.stringify(shown)}${bytes.length > 1500 ? ` and ${bytes.length - 1500} bytes` : ''}`
}
