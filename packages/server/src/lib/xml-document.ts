import { openXml, type XmlElement, XmlRefused } from './xml-reader.js'

/** Reads XML of others, such as feeds and program guides. It follows no references, and tolerates small mistakes. */

const mostNodes = 400_000
const deepest = 30

/** `nbsp` is not declared by XML, but feeds use it. */
const known: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}

/** Unknown entities stay as they are written. */
const entities = new Proxy(known, {
  get: (names, name) =>
    typeof name === 'string' && !Object.hasOwn(names, name) ? `&${name};` : Reflect.get(names, name),
})

/**
 * The root of a document. A document type without declarations is ignored; one with declarations is refused.
 */
export function readDocument(written: string): XmlElement {
  try {
    const reader = openXml({ mostNodes, deepest, entities, checkType })
    reader.write(withMendedReferences(storable(written)).trimStart())
    return trimmed(reader.end())
  } catch (error) {
    if (error instanceof XmlRefused) throw new XmlRefused(`The XML cannot be read. ${error.message}`)
    throw error
  }
}

function checkType(type: string): void {
  if (/[[\]<>]/.test(type))
    throw new XmlRefused('It has a document type with declarations of its own. Such files are not read.')
}

/** Removes characters that neither PostgreSQL nor XML can hold. */
const storable = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')

const sectionOrReference =
  /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|&(?:#(?:x([0-9a-f]{1,8})|([0-9]{1,8}));|(?![a-z_][\w.-]{0,63};))/gi

/**
 * Removes the same characters written as numeric references. An ampersand that begins no reference, as in
 * `?a=1&b=2`, is kept.
 */
const withMendedReferences = (text: string) =>
  text.replace(sectionOrReference, (whole, hex?: string, decimal?: string) => {
    if (whole.startsWith('<')) return whole
    if (whole === '&') return '&amp;'
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff && storable(String.fromCodePoint(code)).codePointAt(0) === code ? whole : ''
  })

const trimmed = ({ name, attributes, children, text }: XmlElement): XmlElement => ({
  name,
  attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, value.trim()])),
  children: children.map(trimmed),
  text: text.trim(),
})

/** The children with this name. */
export const childrenOf = ({ children }: XmlElement, name: string): readonly XmlElement[] =>
  children.filter((child) => child.name === name)
