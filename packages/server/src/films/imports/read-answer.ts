import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http'
import { cleanFileName } from '../../lib/file-name.js'
import { ImportFailed, ImportRefused } from './import-error.js'

/** The bytes of a film that have arrived, and the validator that its server gave them. */
export interface Arrived {
  readonly offset: number
  readonly validator: string | null
}

/** What an answer contains. */
export interface Brought {
  /** The offset of its body: after what has arrived, or 0. */
  readonly from: number
  /** The size of the whole film, if known. */
  readonly total: number | null
  readonly validator: string | null
  readonly fileName: string | undefined
}

/** Asks for the rest if a validator makes sure that it is the rest of the same file. */
export const rangeHeaders = ({ offset, validator }: Arrived): Record<string, string> =>
  offset > 0 && validator !== null ? { range: `bytes=${offset}-`, 'if-range': validator } : {}

/** Reads the head of an answer; undefined if all bytes have arrived already. Throws if there is no film at the address. */
export function readAnswer(
  status: number,
  headers: IncomingHttpHeaders,
  arrived: Arrived,
): Brought | undefined {
  if (status === 416 && arrived.offset > 0) return endOf(headers, arrived)
  if (status !== 200 && status !== 206) throw refusalOf(status, headers)
  refuseContent(headers)
  const facts = { validator: validatorOf(headers), fileName: fileNameIn(headers['content-disposition']) }
  if (status === 206) return { ...restOf(headers, arrived), ...facts }
  return { from: 0, total: lengthOf(headers), ...facts }
}

const changed = () =>
  new ImportFailed('The file has changed since its first bytes came, and is fetched anew.', {
    beginsAnew: true,
  })

/** The server has nothing after the bytes that have arrived: the film is complete, or it is another file. */
function endOf(headers: IncomingHttpHeaders, { offset }: Arrived): undefined {
  const [, total] = /^bytes \*\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  if (Number(total) !== offset) throw changed()
  return undefined
}

function restOf(headers: IncomingHttpHeaders, { offset, validator }: Arrived) {
  const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? []
  const isTheRest = offset > 0 && Number(from) === offset
  // Not every server respects If-Range.
  const isTheSame = headers.etag === undefined || validatorOf(headers) === validator
  if (!isTheRest || !isTheSame) throw changed()
  return { from: offset, total: total === '*' ? null : Number(total) }
}

function lengthOf(headers: IncomingHttpHeaders): number | null {
  const length = headers['content-length']
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : null
}

const isLater = (status: number) => status >= 500 || status === 408 || status === 425 || status === 429

function refusalOf(status: number, headers: IncomingHttpHeaders): Error {
  const said = `${status}${STATUS_CODES[status] ? ` ${STATUS_CODES[status]}` : ''}`
  if (isLater(status))
    return new ImportFailed(`The server that has the file answered ${said}.`, {
      waitSeconds: retryAfter(headers),
    })
  if (status === 401 || status === 403)
    return new ImportRefused(
      `The server that has the file refused to send it (${said}). The address may have expired, or lack its signature.`,
    )
  if (status === 404 || status === 410)
    return new ImportRefused(`There is no file at this address (${said}).`)
  return new ImportRefused(`The server answered ${said}, and sent no file.`)
}

/** Refuses before the first byte what the probe would refuse after gigabytes. */
function refuseContent(headers: IncomingHttpHeaders): void {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'text/html' || type === 'application/xhtml+xml')
    throw new ImportRefused(
      'The address leads to a web page, not to a video file. Give the address of the file itself; it must not need a sign-in.',
    )
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding !== 'identity' && encoding !== '')
    throw new ImportRefused(
      'The server sends the file compressed, although it was asked not to. Give an address that leads to the plain file.',
    )
}

const longestWait = 3600

/** Seconds or a date; an hour at most. */
function retryAfter(headers: IncomingHttpHeaders): number {
  const value = headers['retry-after'] ?? ''
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), longestWait) : 0
}

const longestValidator = 500
/** Dates have whole seconds, so a file that was changed recently may change again and keep its date. */
const dateIsSureAfterMs = 60_000

/** A strong validator (RFC 9110 §8.8): a strong entity tag, or a date that is old enough. */
function validatorOf(headers: IncomingHttpHeaders): string | null {
  const { etag, date, 'last-modified': modified } = headers
  if (etag !== undefined) return /^"[^"]*"$/.test(etag) && etag.length <= longestValidator ? etag : null
  if (modified === undefined || date === undefined) return null
  return Date.parse(date) - Date.parse(modified) >= dateIsSureAfterMs ? modified : null
}

/** The name in a Content-Disposition header (RFC 6266), the extended form first. */
function fileNameIn(disposition = ''): string | undefined {
  const [, encoded] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition) ?? []
  const [, quoted, plain] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? []
  const name = encoded !== undefined ? decoded(encoded) : (quoted?.replace(/\\(.)/g, '$1') ?? plain)
  return name === undefined ? undefined : lastPart(name)
}

/** The name of the file at the end of an address. */
export function fileNameOf(address: string): string {
  return URL.canParse(address) ? lastPart(decoded(new URL(address).pathname)) : ''
}

const lastPart = (path: string) => cleanFileName(path.split(/[\\/]/).findLast((part) => part !== '') ?? '')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
