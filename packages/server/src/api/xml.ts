import type { Field } from '@zoetrope/contract'
import { limits } from '@zoetrope/contract'
import { betweenRequests } from '../edge/pace.js'
import { invalid } from '../errors.js'
import { openXml, type XmlElement, XmlRefused, type XmlRules } from '../lib/xml-reader.js'
import { emptyTree, type Tree } from './brackets.js'

/**
 * Reads and writes XML. Values that are not text are written with their type, so that they can be read back without loss.
 * Document types and entities are refused.
 */

type FieldDefinitions = Readonly<Record<string, Field>>

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
  fields: FieldDefinitions,
): string {
  const children = Object.entries(envelope).map(([name, value]) =>
    Array.isArray(value)
      ? `<${name} type="array">${value.map((each) => element(name === 'notices' ? 'notice' : item, each, { fields })).join('')}</${name}>`
      : element(name, value, { fields }),
  )
  return `${declaration}<${root}>${children.join('')}</${root}>`
}

interface Hint {
  readonly field?: Field | undefined
  readonly fields?: FieldDefinitions
}

function element(name: string, value: unknown, hint: Hint = {}): string {
  // A key that is no valid name in XML is written as an attribute.
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

function objectElement(name: string, value: object, fields: FieldDefinitions): string {
  const children = Object.entries(value).map(([key, inner]) =>
    element(key, inner, { field: Object.hasOwn(fields, key) ? fields[key] : undefined }),
  )
  return children.length === 0 ? `<${name} type="object"/>` : `<${name}>${children.join('')}</${name}>`
}

// Reading.

/** Longer documents are read in pieces of this length, with other requests in between. */
const pieceLength = 8192
/** A tag is read as a whole, with all its attributes. */
const longestTag = 20_000

const rules: XmlRules = {
  mostNodes: limits.body_nodes.value,
  deepest: limits.depth.value + 1,
  checkType() {
    throw new XmlRefused('Document types and entities are not accepted.')
  },
}

/** The root's name and its value. */
export async function readXml(
  text: string,
  pace = betweenRequests,
): Promise<{ root: string; value: unknown }> {
  try {
    checkEncoding(text.slice(0, 200))
    checkTags(text)
    const reader = openXml(rules)
    for (let at = 0; at < text.length; at += pieceLength)
      await pace(() => reader.write(text.slice(at, at + pieceLength)))
    const root = reader.end()
    return { root: root.name, value: readValue(root) }
  } catch (error) {
    throw error instanceof XmlRefused ? invalid(`The XML cannot be read. ${error.message}`) : error
  }
}

function checkEncoding(beginning: string): void {
  const encoding = /^<\?xml[^>]*encoding\s*=\s*["']([^"']+)["']/i.exec(beginning)?.[1]
  if (encoding && !/^utf-?8$/i.test(encoding)) throw new XmlRefused('It must be encoded as UTF-8.')
}

function checkTags(text: string): void {
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const isSection = text.startsWith('<![CDATA[', at)
    const end = text.indexOf(isSection ? ']]>' : '>', at)
    // A section that is never closed is not well-formed; the reader reports that.
    if (end < 0 && isSection) return
    const length = (end < 0 ? text.length : end) - at
    if (!isSection && length > longestTag)
      throw new XmlRefused(`It has a tag of more than ${longestTag.toLocaleString('en')} characters.`)
    at += length
  }
}

function readValue({ attributes: { nil, type }, children, text }: XmlElement): unknown {
  if (nil === 'true') return null
  if (type === 'array') return children.map(readValue)
  if (children.length > 0 || type === 'object') return objectOf(children)
  return typedText(text, type)
}

function objectOf(children: readonly XmlElement[]): Tree {
  const given = new Map<string, unknown[]>()
  for (const child of children) {
    const { key } = child.attributes
    const name = child.name === 'entry' && key !== undefined ? key : child.name
    const value = readValue(child)
    const before = given.get(name)
    if (before) before.push(value)
    else given.set(name, [value])
  }
  const object = emptyTree()
  // A repeated name is a list.
  for (const [name, values] of given) object[name] = values.length === 1 ? values[0] : values.flat()
  return object
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

function typedText(text: string, type: string | undefined): unknown {
  const word = text.trim()
  if (type === 'integer' || type === 'float')
    return word !== '' && Number.isFinite(Number(word)) ? Number(word) : text
  if (type === 'boolean') return booleans.get(word) ?? text
  return text
}
