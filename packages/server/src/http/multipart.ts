import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import busboy from '@fastify/busboy'
import { limits } from '@zoetrope/contract'
import { invalid } from '../errors.js'

/**
 * The fields of a multipart body, in order. A file comes as base64, as everywhere else, where its field is one of those
 * named; any other is refused by name rather than dropped in silence.
 */
export function readParts(
  headers: IncomingHttpHeaders,
  body: Buffer,
  files: readonly string[] = [],
): Promise<[string, string][]> {
  return new Promise((resolve, reject) => {
    const pairs: [string, string][] = []
    const unreadable = (cause: unknown) =>
      reject(invalid(`The multipart body cannot be read: ${(cause as Error).message}.`))
    const parser = open(headers, unreadable)
    if (!parser) return
    parser.on('field', (name, value, nameCut, valueCut) => {
      if (nameCut || valueCut) reject(invalid(`The field ${name.slice(0, 100)} is too long.`))
      pairs.push([name, value])
    })
    parser.on('file', (name, file, fileName) => {
      // A file that breaks off raises an error of its own; unheard, it would end the process.
      file.on('error', unreadable)
      if (files.some((field) => name === field || name.endsWith(`[${field}]`)))
        return reserve(pairs, name, file, fileName)
      file.resume()
      reject(invalid(`This path takes no files (${name}).`))
    })
    for (const limit of ['partsLimit', 'fieldsLimit'] as const)
      parser.on(limit, () =>
        reject(invalid(`A request takes at most ${limits.parameters.value} parameters.`)),
      )
    parser.on('error', unreadable)
    parser.on('finish', () => resolve(pairs))
    parser.end(body)
  })
}

/** Objects of a list are told apart by the order of their fields: the file has its place before it has come. */
function reserve(pairs: [string, string][], name: string, file: Readable, fileName?: string): void {
  const chunks: Buffer[] = []
  const place: [string, string] = [name, '']
  pairs.push(place, ...nameOf(name, fileName))
  file
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('end', () => {
      place[1] = Buffer.concat(chunks).toString('base64')
    })
}

/** `subtitle[file]` brings `subtitle[file_file_name]` with it. */
const nameOf = (name: string, fileName = ''): [string, string][] =>
  fileName === '' ? [] : [[name.replace(/\]?$/, (end) => `_file_name${end}`), fileName.slice(-255)]]

function open(headers: IncomingHttpHeaders, unreadable: (cause: unknown) => void) {
  try {
    return new busboy.Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: {
        fields: limits.parameters.value,
        parts: limits.parameters.value,
        fieldSize: limits.body_bytes.value,
      },
    })
  } catch (cause) {
    unreadable(cause)
    return undefined
  }
}
