import type { Shown } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import { writeXml } from './xml.js'

export type Format = 'json' | 'xml'

const suffixes = new WeakMap<object, Format>()
/** Takes a trailing slash and `.json` or `.xml` off a path and remembers the format. Paths that are `isOurs` stay as they are. */
export function plainPath(request: object, url: string, isOurs: (path: string) => boolean): string {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  // Most paths have none of these, and every request passes here.
  if (!/[.%]|\/$/.test(path) || isOurs(path)) return url
  const bare = withoutSlashes(decodable(path))
  const suffix = bare.endsWith('.json') ? 'json' : bare.endsWith('.xml') ? 'xml' : undefined
  const stem = suffix && bare.slice(0, -suffix.length - 1)
  if (stem) suffixes.set(request, suffix)
  return (stem || bare) + (end < 0 ? '' : url.slice(end))
}

function withoutSlashes(path: string): string {
  let length = path.length
  while (length > 1 && path[length - 1] === '/') length -= 1
  return path.slice(0, length)
}

/** A path that cannot be decoded names nothing; with its percent signs taken literally it is not found like any other. */
function decodable(path: string): string {
  try {
    decodeURIComponent(path)
    return path
  } catch {
    return path.replaceAll('%', '%25')
  }
}

const isXml = (type: string | undefined) => type !== undefined && /(text|application)\/xml/i.test(type)

/** The format that the end of the path named. */
export const suffixOf = ({ raw }: FastifyRequest): Format | undefined => suffixes.get(raw)

/** XML by suffix, by Content-Type or by Accept; JSON otherwise. A browser accepts XML but means a page, so it gets JSON. */
export function formatOf(request: FastifyRequest): Format {
  const suffix = suffixOf(request)
  if (suffix) return suffix
  const { 'content-type': contentType, accept } = request.headers
  if (isXml(contentType)) return 'xml'
  return isXml(accept) && !/text\/html|application\/json/i.test(accept ?? '') ? 'xml' : 'json'
}

export const mediaTypes = {
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
} as const

/** An answer's JSON in the format asked for. */
export function render(format: Format, json: string | Buffer, { name, fields }: Shown): string | Buffer {
  return format === 'json' ? json : writeXml('result', JSON.parse(json.toString()), name, fields)
}
