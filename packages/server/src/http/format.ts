import type { Resource } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import { writeXml } from './xml.js'

export type Format = 'json' | 'xml'

const suffixes = new WeakMap<object, Format>()
/** Takes a trailing slash and `.json` or `.xml` off a path and remembers the format. Paths that are `isOurs` stay as they are. */
export function plainPath(request: object, url: string, isOurs: (path: string) => boolean): string {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  // Most paths have neither, and every request passes here.
  if ((!path.includes('.') && !path.endsWith('/')) || isOurs(path)) return url
  const bare = path.replace(/(?<=.)\/+$/, '')
  const [, stem, suffix] = /^(.+)\.(json|xml)$/.exec(bare) ?? []
  if (suffix) suffixes.set(request, suffix as Format)
  return (stem ?? bare) + (end < 0 ? '' : url.slice(end))
}

const isXml = (type: string | undefined) => type !== undefined && /(text|application)\/xml/i.test(type)

/** XML by suffix, by Content-Type or by Accept; JSON otherwise. A browser accepts XML but means a page, so it gets JSON. */
export function formatOf(request: FastifyRequest): Format {
  const suffix = suffixes.get(request.raw)
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
export function render(format: Format, json: string, resource: Resource): string {
  return format === 'json' ? json : writeXml('result', JSON.parse(json), resource.name, resource.fields)
}
