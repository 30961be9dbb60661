import { XMLParser } from 'fast-xml-parser'

/**
 * A fetch for the SDK that uses XML on the wire: it sends JSON bodies as XML and returns XML responses as JSON. It has
 * its own XML reader, so that it proves what the documents say and not what our writer meant.
 */
export const xmlFetch: typeof fetch = async (input, init = {}) => {
  const headers = new Headers(init.headers)
  headers.set('content-type', 'text/xml')
  headers.delete('accept')
  const body = typeof init.body === 'string' ? toXml(JSON.parse(init.body)) : init.body
  const reply = await fetch(input, { ...init, headers, ...(body ? { body } : {}) })
  const text = await reply.text()
  if (text === '') return new Response(null, { status: reply.status, headers: reply.headers })
  if (!/xml/.test(reply.headers.get('content-type') ?? '')) throw new Error(`Not XML: ${text.slice(0, 200)}`)
  const answer = new Headers(reply.headers)
  answer.set('content-type', 'application/json')
  answer.delete('content-length')
  return new Response(JSON.stringify(fromXml(text)), { status: reply.status, headers: answer })
}

const escaped = (text: string) =>
  text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c] ?? c)

function element(name: string, value: unknown): string {
  if (value === null) return `<${name} nil="true"/>`
  if (Array.isArray(value))
    return `<${name} type="array">${value.map((each) => element('item', each)).join('')}</${name}>`
  if (typeof value === 'object') {
    const inner = Object.entries(value as object).map(([key, each]) => element(key, each))
    return inner.length > 0 ? `<${name}>${inner.join('')}</${name}>` : `<${name} type="object"/>`
  }
  if (typeof value === 'boolean') return `<${name} type="boolean">${value}</${name}>`
  if (typeof value === 'number')
    return `<${name} type="${Number.isInteger(value) ? 'integer' : 'float'}">${value}</${name}>`
  return `<${name}>${escaped(String(value))}</${name}>`
}

function toXml(value: Record<string, unknown>): string {
  const [entry, ...others] = Object.entries(value)
  const [name, inner] = entry && others.length === 0 ? entry : ['request', value]
  return `<?xml version="1.0" encoding="UTF-8"?>${element(String(name), inner)}`
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  trimValues: false,
  ignoreDeclaration: true,
})

type Node = Record<string, unknown>
const nameOf = (node: Node) => Object.keys(node).find((key) => key !== ':@') ?? ''

export function fromXml(text: string): unknown {
  const [root] = parser.parse(text) as Node[]
  if (!root) throw new Error('Empty XML')
  return read(root)
}

function read(node: Node): unknown {
  const { nil, type } = (node[':@'] ?? {}) as { nil?: string; type?: string }
  const inside = node[nameOf(node)] as Node[]
  const children = inside.filter((child) => nameOf(child) !== '#text')
  if (nil === 'true') return null
  if (type === 'array') return children.map(read)
  if (type === 'object' || children.length > 0)
    return Object.fromEntries(
      children.map((child) => [((child[':@'] ?? {}) as { key?: string }).key ?? nameOf(child), read(child)]),
    )
  const value = inside.map((child) => String(child['#text'] ?? '')).join('')
  if (type === 'integer' || type === 'float') return Number(value)
  return type === 'boolean' ? value === 'true' : value
}
