import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { limits } from '@zoetrope/contract'
import { readDocument } from '../../lib/xml-document.js'
import { type XmlElement, XmlRefused } from '../../lib/xml-reader.js'
import { FetchFailed, FetchRefused } from '../fetch-error.js'
import { safeFetch } from '../safe-fetch.js'

const mostBytes = limits.document_bytes.value
const timing = { timeoutMs: 60_000, idleMs: 15_000 }
const unzip = promisify(gunzip)

/** The validators of a document, to ask its server whether it has changed. */
export interface Validators {
  readonly etag: string | null
  readonly last_modified: string | null
}

export interface FetchedDocument {
  readonly root: XmlElement
  readonly url: string
  readonly validators: Validators
}

/** Which addresses may be fetched although they are not public. */
interface FetchParts {
  readonly isReachable: (address: string) => boolean
}

/** Fetches the XML document at a publisher's address. Throws FetchRefused or FetchFailed with the reason. */
export async function fetchDocument(
  parts: FetchParts,
  address: string,
  signal?: AbortSignal,
): Promise<XmlElement> {
  const found = await fetchChanged(parts, address, { etag: null, last_modified: null }, signal)
  if (!found) throw statusError(304)
  return found.root
}

/** The same; undefined if the document has not changed since these validators. */
export async function fetchChanged(
  { isReachable }: FetchParts,
  address: string,
  known: Validators,
  signal?: AbortSignal,
): Promise<FetchedDocument | undefined> {
  const { status, headers, body, finalUrl } = await safeFetch(address, {
    maxBytes: mostBytes,
    ...timing,
    headers: { accept: 'application/rss+xml, application/xml, text/xml, */*;q=0.5', ...conditions(known) },
    allow: isReachable,
    ...(signal ? { signal } : {}),
  })
  try {
    if (status === 304 && (known.etag || known.last_modified)) return undefined
    if (status !== 200) throw statusError(status)
    const root = readDocument(decodedText(await unzipped(await readBody(body))))
    const validators = {
      etag: usable(headers.etag),
      last_modified: usable(headers['last-modified']),
    }
    return { root, url: finalUrl, validators }
  } catch (error) {
    throw error instanceof XmlRefused ? new FetchRefused(error.message) : error
  } finally {
    body.destroy()
  }
}

const conditions = ({ etag, last_modified }: Validators): Record<string, string> => ({
  ...(etag ? { 'if-none-match': etag } : {}),
  ...(last_modified ? { 'if-modified-since': last_modified } : {}),
})

/** A header that can be sent back unchanged. */
const usable = (header: string | undefined): string | null =>
  header !== undefined && /^[\x20-\x7e]{1,500}$/.test(header) ? header : null

function statusError(status: number): Error {
  const said = `The server of the file answered ${status}.`
  if (status >= 500 || status === 429) return new FetchFailed(said)
  return new FetchRefused(`${said}${advice[status] ?? ''}`)
}

const locked = ' It must be readable without signing in; a key may be part of the address.'
const gone = ' Nothing is at this address: it may have moved, or be misspelled.'
const advice: Readonly<Record<number, string>> = { 401: locked, 403: locked, 404: gone, 410: gone }

async function readBody(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Guides are often gzipped. The limit also applies to the unpacked document. */
async function unzipped(bytes: Buffer): Promise<Buffer> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  return unzip(bytes, { maxOutputLength: mostBytes }).catch(() => {
    throw new FetchRefused(`The file cannot be unpacked, or is larger than ${mostBytes} bytes when unpacked.`)
  })
}

/** Decodes with the encoding that the document names, or UTF-8. */
function decodedText(bytes: Buffer): string {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined
  const head = bytes.toString('latin1', 0, 200)
  const [, named = 'utf-8'] = /^[^<]*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(head) ?? []
  try {
    return new TextDecoder(wide ?? named).decode(bytes)
  } catch {
    throw new FetchRefused(`The file uses an unknown encoding: ${named}.`)
  }
}
