import { XMLValidator } from 'fast-xml-parser'
import { xmlParser } from './xml-parser.js'

/** XML that others wrote, read without ever following what it says: no document types, no entities of its own, no addresses. */

export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** Its own text, without that of its children. */
  readonly text: string
}

/** Why a document is not read, for a person. */
export class XmlRefused extends Error {}

const mostTags = 400_000
const longestTag = 20_000
const deepest = 30

/** The root of a document. A document type that only names itself is passed over; one that declares anything is refused. */
export function readDocument(written: string): XmlElement {
  const text = withoutType(written)
  if (/<!(DOCTYPE|ENTITY|ELEMENT|ATTLIST)/i.test(withoutCdata(text)))
    throw new XmlRefused('The XML has a document type with declarations of its own. Such files are not read.')
  if (isOverloaded(text, mostTags, longestTag))
    throw new XmlRefused(
      `The XML has more than ${mostTags.toLocaleString('en')} tags, or one that is too long.`,
    )
  const verdict = XMLValidator.validate(text)
  if (verdict !== true)
    throw new XmlRefused(`The file is not well-formed XML: ${verdict.err.msg} (line ${verdict.err.line}).`)
  const [root] = parse(text).filter((node) => nameOf(node) !== '#text')
  if (!root) throw new XmlRefused('The file is empty.')
  return elementOf(root, 0)
}

/** Step by step, so that nothing is read twice: one expression for all of it takes for ever where somebody wants it to. */
function withoutType(text: string): string {
  const before = /[^<]+|<\?[^>]*>|<!--[\s\S]*?-->/y
  let at = 0
  while (before.test(text)) at = before.lastIndex
  const type = /<!DOCTYPE\s[^[\]<>]*>/iy
  type.lastIndex = at
  return type.test(text) ? text.slice(0, at) + text.slice(type.lastIndex) : text
}

function withoutCdata(text: string): string {
  let kept = ''
  for (let at = 0; ; ) {
    const open = text.indexOf('<![CDATA[', at)
    const end = open < 0 ? -1 : text.indexOf(']]>', open)
    if (end < 0) return kept + text.slice(at)
    kept += text.slice(at, open)
    at = end + 3
  }
}

/** Whether reading it would take long: seen in one quick look, for anybody can send anything. */
export function isOverloaded(text: string, most: number, longest: number): boolean {
  let tags = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    tags += 1
    const isText = text.startsWith('<![CDATA[', at)
    const end = text.indexOf(isText ? ']]>' : '>', at)
    if (tags > most || (!isText && (end < 0 ? text.length : end) - at > longest)) return true
    if (end < 0) return false
    at = end
  }
  return false
}

type Node = Readonly<Record<string, unknown>>

function parse(text: string): Node[] {
  try {
    return xmlParser.parse(text) as Node[]
  } catch (cause) {
    throw new XmlRefused(
      `The file is not well-formed XML: ${cause instanceof Error ? cause.message : cause}.`,
    )
  }
}

const nameOf = (node: Node): string => Object.keys(node).find((key) => key !== ':@') ?? ''

function elementOf(node: Node, depth: number): XmlElement {
  if (depth > deepest) throw new XmlRefused(`The XML nests deeper than ${deepest}.`)
  const name = nameOf(node)
  const inside = node[name] as readonly Node[]
  const attributes = Object.entries((node[':@'] ?? {}) as Record<string, string>)
  return {
    name,
    attributes: Object.fromEntries(
      attributes.map(([key, value]) => [key, storable(decoded(String(value))).trim()]),
    ),
    children: inside
      .filter((child) => !nameOf(child).startsWith('#'))
      .map((child) => elementOf(child, depth + 1)),
    text: storable(inside.map(textOf).join('')).trim(),
  }
}

function textOf(node: Node): string {
  if (nameOf(node) === '#cdata')
    return (node['#cdata'] as readonly Node[]).map((inner) => String(inner['#text'] ?? '')).join('')
  return decoded(String(node['#text'] ?? ''))
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/** What XML knows without a declaration, and the one that feeds use without any; all others stay as they are written. */
function decoded(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

/** Without what neither PostgreSQL nor XML can carry. */
const storable = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')

/** The children of this name. */
export const childrenOf = ({ children }: XmlElement, name: string): readonly XmlElement[] =>
  children.filter((child) => child.name === name)
