import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Readable, Writable } from 'node:stream'
import busboy from '@fastify/busboy'
import { limits } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../errors.js'
import { longestSilenceMs, noTurn, paceOf, turnToSend, watchBody } from './body-bounds.js'
import { isLarge } from './body-pieces.js'
import type { Pace } from './pace.js'

type Parser = InstanceType<typeof busboy.Busboy>

export type Pair = readonly [string, string]

/** A file on its way in, under the name it had on the caller's machine. */
export interface IncomingFile {
  readonly name: string
  readonly body: Readable
}

/** Which files a body may bring. */
export interface FileRules<Stored> {
  /** Files of these fields come as base64 among the fields. */
  readonly small: readonly string[]
  /** The parts that may bring the one large file. */
  readonly names: readonly string[]
  /** Takes the large file; gets the fields that came before it. Once `signal` aborts, the rest will not come. */
  store(file: IncomingFile, before: readonly Pair[], signal: AbortSignal): Promise<Stored>
}

/** For bodies of fields only, with small files among them. */
export const fieldsAnd = (small: readonly string[] = []): FileRules<never> => ({
  small,
  names: [],
  store: () => Promise.reject(new Error('No part may bring a large file')),
})

/** Fields, and what stands around them. A piece may hold the beginning of the file too. */
const mostBeforeFile = limits.body_bytes.value + 65_536

const unreadable = (cause: unknown) =>
  invalid(`The multipart body cannot be read: ${(cause as Error).message}.`)
const nameless = () =>
  invalid(
    'A part of the multipart body has no name. Send one with each: Content-Disposition: form-data; name="title".',
  )

/**
 * Reads a body with any fields and one large file or none, in any order, no faster than the file is taken. Until the file
 * begins, and `store` finds out who sends it, the bounds of all bodies hold. When this throws, `store` has ended too.
 */
export async function readMultipart<Stored>(
  request: FastifyRequest,
  { small, names, store }: FileRules<Stored>,
): Promise<{ stored: Stored | undefined; pairs: readonly Pair[] }> {
  const stopping = new AbortController()
  // The first reason is the one that is told.
  const stop = (reason: unknown) => stopping.abort(reason)
  const parser = openParser(request.headers)
  const { pairs, take } = readFields(parser, stop)
  const turn = isLarge(request) ? await turnToSend(request) : noTurn
  const watch = watchBody(request, mostBeforeFile, stop)
  let storing: Promise<Stored> | undefined

  parser.on('file', (part: string | undefined, body, name: string | undefined) => {
    // The reader of the file handles its errors. Without this listener they would also end the process.
    body.on('error', () => {})
    if (isOneOf(small, part)) return take(part, body, name)
    const refused = storing ? 'Send one file at a time.' : wrongPart(part, names)
    if (refused) {
      body.resume()
      return stop(invalid(refused))
    }
    turn.leave()
    watch.end()
    storing = store({ name: name ?? '', body }, [...pairs], stopping.signal)
    storing.catch(stop)
  })
  const note = (chunk: Buffer) => watch.note(chunk.length)
  request.raw.on('data', note)
  try {
    await feed(request.raw, parser, stopping, paceOf(request), () => storing !== undefined)
    watch.complete()
    return { stored: await storing, pairs }
  } catch (error) {
    watch.end()
    await storing?.catch(() => {})
    throw error
  } finally {
    turn.leave()
    request.raw.off('data', note).pause()
  }
}

const isOneOf = (fields: readonly string[], part: string | undefined): part is string =>
  part !== undefined && fields.some((field) => part === field || part.endsWith(`[${field}]`))

function wrongPart(part = '', names: readonly string[]): string | undefined {
  if (names.includes(part)) return undefined
  const given = part.slice(0, 100)
  return names.length === 0
    ? `This path takes no files (${given}).`
    : `The file must be in a part named ${names[0]}, and not ${JSON.stringify(given)}.`
}

function openParser(headers: IncomingHttpHeaders): Parser {
  try {
    return new busboy.Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: {
        fields: limits.parameters.value,
        parts: limits.parameters.value + 4,
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
  parser.on('field', (name: string | undefined, value, nameCut, valueCut) => {
    if (name === undefined) return stop(nameless())
    left -= name.length + value.length
    if (left < 0 || nameCut || valueCut) return tooLarge()
    pairs.push([name, value])
  })
  for (const limit of ['partsLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => stop(invalid(`A request takes at most ${limits.parameters.value} parameters.`)))
  // Objects of a list are told apart by the order of their fields: the file has its place before it has come.
  const take = (name: string, body: Readable, fileName = '') => {
    const place: [string, string] = [name, '']
    const chunks: Buffer[] = []
    pairs.push(place)
    if (fileName !== '') pairs.push([besides(name), fileName.slice(-255)])
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

/** `subtitle[file]` brings `subtitle[file_file_name]` with it. */
const besides = (name: string) => name.replace(/\]?$/, (end) => `_file_name${end}`)

/** Until the body is over, or there is a reason to stop. */
async function feed(
  request: IncomingMessage,
  parser: Parser,
  stopping: AbortController,
  pace: Pace,
  isFile: () => boolean,
): Promise<void> {
  const { signal } = stopping
  const brokenOff = () => {
    if (!request.readableEnded) stopping.abort(invalid('The upload broke off.'))
  }
  const silent = () => stopping.abort(invalid('Nothing more came of the upload, and it was given up.'))
  request.on('error', brokenOff).on('close', brokenOff).setTimeout(longestSilenceMs, silent)
  // The caller may have left while it was looked up.
  if (request.destroyed) brokenOff()
  const sink = inSlices(parser, signal, pace, isFile)
  try {
    await new Promise<void>((resolve, reject) => {
      if (signal.aborted) reject(signal.reason)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      parser.on('error', (error) => stopping.abort(unreadable(error))).on('finish', resolve)
      request.pipe(sink)
    })
  } finally {
    request.unpipe(sink)
    request.setTimeout(0)
  }
}

const sliceBytes = 2048

/**
 * Hands fields to the parser in small slices, with other requests in between, and stops between two of them: the parser goes
 * on making parts beyond its limit to the end of what it was given, each of which costs more than a kilobyte. It is not ended
 * after that, because then a part that is cut off would raise an error without a listener, and end the process.
 */
function inSlices(parser: Parser, signal: AbortSignal, pace: Pace, isFile: () => boolean): Writable {
  const pass = (chunk: Buffer, at: number, done: () => void): void => {
    const end = isFile() ? chunk.length : at + sliceBytes
    const write = () => {
      if (at >= chunk.length || signal.aborted) done()
      else parser.write(chunk.subarray(at, end), () => pass(chunk, end, done))
    }
    if (isFile()) write()
    else void pace(write)
  }
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => pass(chunk, 0, done),
    final(done) {
      if (!signal.aborted) parser.end()
      done()
    },
  })
}
