import { SaxesParser } from 'saxes'

/** An element of an XML document. Document types are never followed, and documents cannot define entities. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** Its own text, without that of its children. */
  readonly text: string
}

/** Why a document was refused, as a message for people. */
export class XmlRefused extends Error {}

export interface XmlRules {
  /** Elements and attributes together. */
  readonly mostNodes: number
  readonly deepest: number
  /** Replacements for undeclared entities, in addition to the five of XML. */
  readonly entities?: Readonly<Record<string, string>>
  /** Throws if the document type must not be ignored. */
  checkType(type: string): void
}

export interface XmlReader {
  /** Reads the next piece. Throws `XmlRefused` as soon as a rule is broken. */
  write(piece: string): void
  /** The root element. */
  end(): XmlElement
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[]
  text: string
}

/**
 * Reads a document in one pass, in time proportional to its length, and enforces the limits while reading.
 */
export function openXml({ mostNodes, deepest, entities, checkType }: XmlRules): XmlReader {
  const parser = new SaxesParser({ position: false, xmlns: false })
  if (entities) parser.ENTITIES = entities
  const open: OpenElement[] = []
  let root: XmlElement | undefined
  let nodes = 0

  const addText = (text: string) => {
    const element = open.at(-1)
    if (element) element.text += text
  }
  // A sixth listener would make the parser four times slower: it adds a property to its object for each.
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('doctype', checkType)
  parser.on('closetag', () => void open.pop())
  parser.on('opentag', ({ name, attributes }) => {
    nodes += 1 + Object.keys(attributes).length
    if (nodes > mostNodes)
      throw new XmlRefused(
        `It has more than ${mostNodes.toLocaleString('en')} elements and attributes. Send less at a time.`,
      )
    if (open.length >= deepest) throw new XmlRefused(`It nests deeper than ${deepest} elements.`)
    const element = { name, attributes, children: [], text: '' }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })

  const parse = (step: () => void) => {
    try {
      step()
    } catch (error) {
      if (error instanceof XmlRefused) throw error
      const why = (error as Error).message.replace(/\.?$/, '.')
      throw new XmlRefused(`It is not well-formed at line ${parser.line}: ${why}`)
    }
  }
  return {
    write: (piece) => parse(() => parser.write(piece)),
    end() {
      parse(() => parser.close())
      if (!root) throw new XmlRefused('It is empty.')
      return root
    },
  }
}
