import type { Shown } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import { writeXml } from './xml.js'

export type WireFormat = 'json' | 'xml'

declare module 'fastify' {
  interface FastifyRequest {
    /** The format of the answer, once it has been worked out; read it with `formatOf`. */
    format: WireFormat | undefined
  }
}

/** Removes a trailing slash and `.json` or `.xml` from the path of a URL. Paths that are `isOurs` stay as they are. */
export function plainPath(url: string, isOurs: (path: string) => boolean): string {
  const path = pathIn(url)
  // Most paths have none of these, and every request comes through here.
  if (!/[.%]|\/$/.test(path) || isOurs(path)) return url
  const bare = withoutSlashes(decodable(path))
  const suffix = suffixIn(bare)
  return (suffix ? bare.slice(0, -suffix.length - 1) : bare) + url.slice(path.length)
}

function pathIn(url: string): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

function withoutSlashes(path: string): string {
  let length = path.length
  while (length > 1 && path[length - 1] === '/') length -= 1
  return path.slice(0, length)
}

const suffixIn = (bare: string): WireFormat | undefined =>
  bare.endsWith('.json') ? 'json' : bare.endsWith('.xml') ? 'xml' : undefined

/** A path that cannot be decoded would be an error of the router. With its percent signs escaped it is a 404 like any other. */
function decodable(path: string): string {
  try {
    decodeURIComponent(path)
    return path
  } catch {
    return path.replaceAll('%', '%25')
  }
}

const isXml = (type: string | undefined) => type !== undefined && /(text|application)\/xml/i.test(type)

/** The format that the suffix of the path asks for. Where `plainPath` removed nothing, there was no suffix. */
export function suffixOf({ url, originalUrl }: FastifyRequest): WireFormat | undefined {
  return url === originalUrl ? undefined : suffixIn(withoutSlashes(pathIn(originalUrl)))
}

/** The format of the answer to a request. */
export function formatOf(request: FastifyRequest): WireFormat {
  request.format ??= suffixOf(request) ?? formatInHeaders(request)
  return request.format
}

/** XML if Content-Type or Accept ask for it, otherwise JSON. Browsers accept XML but want a page; they get JSON. */
function formatInHeaders({ headers }: FastifyRequest): WireFormat {
  const { 'content-type': contentType, accept } = headers
  if (isXml(contentType)) return 'xml'
  return isXml(accept) && !/text\/html|application\/json/i.test(accept ?? '') ? 'xml' : 'json'
}

export const mediaTypes = {
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
} as const

/** An answer's JSON in the format asked for. */
export function render(format: WireFormat, json: string | Buffer, { name, fields }: Shown): string | Buffer {
  return format === 'json' ? json : writeXml('result', JSON.parse(json.toString()), name, fields)
}
