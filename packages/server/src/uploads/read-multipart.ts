import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import busboy from '@fastify/busboy'
import { limits } from '@zoetrope/contract'
import { ApiError, invalid } from '../errors.js'
import { longestSilenceMs } from './silence.js'

type Parser = InstanceType<typeof busboy.Busboy>

export type Pair = readonly [string, string]

/** A file on its way in, under the name it had on the caller's machine. */
export interface IncomingFile {
  readonly name: string
  readonly body: Readable
}

/** Takes the file; gets the fields that came before it. Once `signal` aborts, the rest will not come. */
type Store<Stored> = (file: IncomingFile, before: readonly Pair[], signal: AbortSignal) => Promise<Stored>

const fileParts = ['source', 'file', 'video[source]', 'upload[file]']

const unreadable = (cause: unknown) =>
  invalid(`The multipart body cannot be read: ${(cause as Error).message}.`)

/**
 * Reads a body with any fields and one file or none, in any order, no faster than the file is taken. Files that belong to
 * fields named `small` come as base64 among the fields. When this throws, `store` has ended too.
 */
export async function readMultipart<Stored>(
  request: IncomingMessage,
  store: Store<Stored>,
  names: readonly string[] = fileParts,
  small: readonly string[] = [],
): Promise<{ stored: Stored | undefined; pairs: readonly Pair[] }> {
  const stopping = new AbortController()
  // The first reason is the one that is told.
  const stop = (reason: unknown) => stopping.abort(reason)
  const parser = openParser(request)
  const { pairs, take } = readFields(parser, stop)
  let storing: Promise<Stored> | undefined

  parser.on('file', (part: string | undefined, body, name: string | undefined) => {
    // Whoever takes the file sees its errors too; unheard here, they would end the process.
    body.on('error', () => {})
    if (small.some((field) => part === field || part?.endsWith(`[${field}]`))) return take(part ?? '', body)
    const refused = storing ? 'Send one file at a time.' : wrongPart(part, names)
    if (refused) {
      body.resume()
      return stop(invalid(refused))
    }
    storing = store({ name: name ?? '', body }, [...pairs], stopping.signal)
    storing.catch(stop)
  })
  try {
    await feed(request, parser, stopping)
    return { stored: await storing, pairs }
  } catch (error) {
    await storing?.catch(() => {})
    throw error
  }
}

const wrongPart = (part = '', names: readonly string[]) =>
  names.includes(part)
    ? undefined
    : `The file must be in a part named ${names[0]}, and not ${JSON.stringify(part.slice(0, 100))}.`

function openParser({ headers }: IncomingMessage): Parser {
  try {
    return new busboy.Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: {
        fields: limits.parameters.value,
        parts: limits.parameters.value + fileParts.length,
        fieldSize: limits.body_bytes.value,
      },
    })
  } catch (cause) {
    throw unreadable(cause)
  }
}

/** The fields, as they come. All of them together are no larger than any other body may be. */
function readFields(parser: Parser, stop: (reason: unknown) => void) {
  const pairs: [string, string][] = []
  const tooLarge = () => stop(new ApiError(413, 'The fields are larger than the limit.'))
  let left = limits.body_bytes.value
  parser.on('field', (name: string | undefined, value, _nameCut, valueCut) => {
    left -= (name ?? '').length + value.length
    if (left < 0 || valueCut) return tooLarge()
    pairs.push([name ?? '', value])
  })
  for (const limit of ['partsLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => stop(invalid(`A request takes at most ${limits.parameters.value} parameters.`)))
  // Objects of a list are told apart by the order of their fields: the file has its place before it has come.
  const take = (name: string, body: Readable) => {
    const place: [string, string] = [name, '']
    const chunks: Buffer[] = []
    pairs.push(place)
    body.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) tooLarge()
      else chunks.push(chunk)
    })
    body.on('end', () => {
      place[1] = Buffer.concat(chunks).toString('base64')
    })
  }
  return { pairs: pairs as readonly Pair[], take }
}

/** Until the body is over, or there is a reason to stop. */
async function feed(request: IncomingMessage, parser: Parser, stopping: AbortController): Promise<void> {
  const { signal } = stopping
  const brokenOff = () => {
    if (!request.readableEnded) stopping.abort(invalid('The upload broke off.'))
  }
  const silent = () => stopping.abort(invalid('Nothing more came of the upload, and it was given up.'))
  request.on('error', brokenOff).on('close', brokenOff).setTimeout(longestSilenceMs, silent)
  // The caller may have left while it was looked up.
  if (request.destroyed) brokenOff()
  try {
    await new Promise<void>((resolve, reject) => {
      if (signal.aborted) reject(signal.reason)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      parser.on('error', (error) => stopping.abort(unreadable(error))).on('finish', resolve)
      request.pipe(parser)
    })
  } finally {
    request.unpipe(parser)
    request.setTimeout(0)
    request.resume()
  }
}
