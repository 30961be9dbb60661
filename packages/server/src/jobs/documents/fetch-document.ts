import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { limits } from '@zoetrope/contract'
import { FetchFailed, FetchRefused } from '../../fetching/fetch-error.js'
import { safeFetch } from '../../fetching/safe-fetch.js'
import { readDocument, type XmlElement, XmlRefused } from '../../lib/xml-document.js'
import type { MediaParts } from '../../media-segments/media-parts.js'

const mostBytes = limits.document_bytes.value
const timing = { timeoutMs: 60_000, idleMs: 15_000 }
const unzip = promisify(gunzip)

/** The XML at an address that somebody gave. Throws FetchRefused or FetchFailed, which say why not. */
export async function fetchDocument(
  { isReachable }: Pick<MediaParts, 'isReachable'>,
  address: string,
  signal?: AbortSignal,
): Promise<XmlElement> {
  const { status, body } = await safeFetch(address, {
    maxBytes: mostBytes,
    ...timing,
    headers: { accept: 'application/rss+xml, application/xml, text/xml, */*;q=0.5' },
    allow: isReachable,
    ...(signal ? { signal } : {}),
  })
  try {
    if (status !== 200) throw refusalOf(status)
    return readDocument(textOf(await plain(await bytesOf(body))))
  } catch (error) {
    throw error instanceof XmlRefused ? new FetchRefused(error.message) : error
  } finally {
    body.destroy()
  }
}

function refusalOf(status: number): Error {
  const said = `The server of the file answered ${status}.`
  return status >= 500 || status === 429 ? new FetchFailed(said) : new FetchRefused(said)
}

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Guides are often kept as .gz; what comes out of one is no larger than what may come plainly. */
async function plain(bytes: Buffer): Promise<Buffer> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  return unzip(bytes, { maxOutputLength: mostBytes }).catch(() => {
    throw new FetchRefused(`The file cannot be unpacked, or is larger than ${mostBytes} bytes then.`)
  })
}

/** In the encoding that the document names, UTF-8 otherwise. */
function textOf(bytes: Buffer): string {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined
  const head = bytes.toString('latin1', 0, 200)
  const [, named = 'utf-8'] = /^[^<]*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(head) ?? []
  try {
    return new TextDecoder(wide ?? named).decode(bytes)
  } catch {
    throw new FetchRefused(`The file is written in an encoding that is not known here: ${named}.`)
  }
}
