import type { Field } from '@zoetrope/contract'
import { limits } from '@zoetrope/contract'
import { XMLValidator } from 'fast-xml-parser'
import { invalid } from '../errors.js'
import { isOverloaded } from '../lib/xml-document.js'
import { xmlParser } from '../lib/xml-parser.js'
import { emptyTree, type Tree } from './brackets.js'

/**
 * XML in and out. What leaves says the type of every value that is not text, so that it reads back without loss; what
 * comes in may have the same shape. Document types and entities are refused.
 */

type Fields = Readonly<Record<string, Field>>

const declaration = '<?xml version="1.0" encoding="UTF-8"?>'
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}
const escaped = (text: string) => text.replace(/[&<>"\r]/g, (character) => escapes[character] ?? character)
const escapedInQuotes = (text: string) =>
  escaped(text).replace(/[\n\t]/g, (space) => `&#${space.charCodeAt(0)};`)

/** Names that readers refuse because every object of JavaScript has them. */
const isReserved = (name: string) => name in Object.prototype || name === 'prototype'
const isName = (name: string) => /^[A-Za-z_][\w.-]*$/.test(name) && !/^xml/i.test(name) && !isReserved(name)

/** An envelope as a document: the root, then each element. `item` names the records of a list. */
export function writeXml(
  root: string,
  envelope: Readonly<Record<string, unknown>>,
  item: string,
  fields: Fields,
): string {
  const children = Object.entries(envelope).map(([name, value]) =>
    Array.isArray(value)
      ? `<${name} type="array">${value.map((each) => element(item, each, { fields })).join('')}</${name}>`
      : element(name, value, { fields }),
  )
  return `${declaration}<${root}>${children.join('')}</${root}>`
}

interface Hint {
  readonly field?: Field | undefined
  readonly fields?: Fields
}

function element(name: string, value: unknown, hint: Hint = {}): string {
  // A name that XML cannot carry (free keys may have any) stands in an attribute.
  if (!isName(name))
    return element('entry', value, hint).replace('<entry', () => `<entry key="${escapedInQuotes(name)}"`)
  if (value === null || value === undefined) return `<${name} nil="true"/>`
  if (Array.isArray(value)) return listElement(name, value, hint.field)
  if (typeof value === 'object') return objectElement(name, value, hint.fields ?? {})
  if (typeof value === 'boolean') return `<${name} type="boolean">${value}</${name}>`
  if (typeof value === 'number')
    return `<${name} type="${Number.isInteger(value) ? 'integer' : 'float'}">${value}</${name}>`
  const type = hint.field?.kind === 'timestamp' ? ' type="datetime"' : ''
  return `<${name}${type}>${escaped(String(value))}</${name}>`
}

function listElement(name: string, values: readonly unknown[], field: Field | undefined): string {
  const listed = field?.kind === 'list' || field?.kind === 'objects' ? field : undefined
  const fields = field?.kind === 'objects' ? field.of : {}
  const items = values.map((each) => element(listed?.item ?? 'item', each, { fields }))
  return `<${name} type="array">${items.join('')}</${name}>`
}

function objectElement(name: string, value: object, fields: Fields): string {
  const children = Object.entries(value).map(([key, inner]) =>
    element(key, inner, { field: Object.hasOwn(fields, key) ? fields[key] : undefined }),
  )
  return children.length === 0 ? `<${name} type="object"/>` : `<${name}>${children.join('')}</${name}>`
}

// Reading.

type Node = Readonly<Record<string, unknown>>
type Attributes = Readonly<Record<string, string>>

/** The root's name and its value. */
export function readXml(text: string): { root: string; value: unknown } {
  if (/<!(DOCTYPE|ENTITY|ELEMENT)/i.test(text))
    throw invalid('XML with a document type or entities is not accepted.')
  const encoding = /^\s*<\?xml[^>]*encoding\s*=\s*["']([^"']+)["']/i.exec(text)?.[1]
  if (encoding && !/^utf-?8$/i.test(encoding)) throw invalid('XML must be encoded as UTF-8.')
  if (isOverloaded(text, mostTags, longestTag))
    throw invalid('The XML has too many elements, or one with too many attributes.')
  const verdict = XMLValidator.validate(text)
  if (verdict !== true)
    throw invalid(`The XML cannot be read: ${verdict.err.msg} (line ${verdict.err.line}).`)
  const nodes = parse(text).filter((node) => nameOf(node) !== '#text')
  const [root] = nodes
  if (!root || nodes.length !== 1) throw invalid('The XML must have exactly one root element.')
  return { root: nameOf(root), value: readValue(root, 0) }
}

const mostTags = 40_000
const longestTag = 20_000

function parse(text: string): Node[] {
  try {
    return xmlParser.parse(text) as Node[]
  } catch (cause) {
    throw invalid(
      `The XML cannot be read: ${cause instanceof Error ? cause.message : 'it is not well-formed'}.`,
    )
  }
}

const nameOf = (node: Node): string => Object.keys(node).find((key) => key !== ':@') ?? ''
const attributesOf = (node: Node): Attributes => (node[':@'] ?? {}) as Attributes

function readValue(node: Node, depth: number): unknown {
  if (depth > limits.depth.value) throw invalid(`XML may nest at most ${limits.depth.value} deep.`)
  const { nil, type } = attributesOf(node)
  if (nil === 'true') return null
  const inside = node[nameOf(node)] as Node[]
  const children = inside.filter((child) => !nameOf(child).startsWith('#'))
  if (type === 'array') return children.map((child) => readValue(child, depth + 1))
  if (children.length > 0 || type === 'object') return objectOf(children, depth)
  return typedText(inside.map(textOf).join(''), type)
}

function objectOf(children: readonly Node[], depth: number): Tree {
  const given = new Map<string, unknown[]>()
  for (const child of children) {
    const key = attributesOf(child).key
    const name = nameOf(child) === 'entry' && key !== undefined ? decoded(key) : nameOf(child)
    const value = readValue(child, depth + 1)
    const before = given.get(name)
    if (before) before.push(value)
    else given.set(name, [value])
  }
  const object = emptyTree()
  // A name that comes more than once is a list.
  for (const [name, values] of given) object[name] = values.length === 1 ? values[0] : values.flat()
  return object
}

function textOf(node: Node): string {
  if (nameOf(node) === '#cdata')
    return (node['#cdata'] as Node[]).map((inner) => String(inner['#text'] ?? '')).join('')
  return decoded(String(node['#text'] ?? ''))
}

function typedText(text: string, type: string | undefined): unknown {
  if (type === 'integer' || type === 'float') {
    const value = Number(text.trim())
    return text.trim() !== '' && Number.isFinite(value) ? value : text
  }
  if (type === 'boolean')
    return /^\s*(true|1)\s*$/.test(text) ? true : /^\s*(false|0)\s*$/.test(text) ? false : text
  return text
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The five names and the numbers that XML has without any declaration; anything else is refused. */
function decoded(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[\w.-]*);?/gi, (whole, name: string) => {
    const code = /^#x/i.test(name)
      ? Number.parseInt(name.slice(2), 16)
      : name.startsWith('#')
        ? Number(name.slice(1))
        : undefined
    if (code !== undefined && whole.endsWith(';') && code <= 0x10ffff) return String.fromCodePoint(code)
    if (Object.hasOwn(named, name) && whole.endsWith(';')) return named[name] ?? ''
    throw invalid(`The XML has an entity that is not accepted: ${whole.slice(0, 20)}`)
  })
}
