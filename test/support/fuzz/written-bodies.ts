import { type Changed, mark, type Tree } from './one-change.js'

export type BodyKind = 'json' | 'bare JSON' | 'form' | 'multipart' | 'xml'

export interface Written {
  readonly type: string
  readonly body: Buffer
  readonly format: 'json' | 'xml'
}

/** Returns the text for a form or XML in place of JSON, which may be invalid. */
const asText = (raw: string): string => {
  try {
    const value: unknown = JSON.parse(raw)
    return typeof value === 'string' ? value : raw
  } catch {
    return raw
  }
}

/** Returns the name and text of every leaf, in bracket notation. */
function leaves(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item) => leaves(`${name}[]`, item))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => leaves(name ? `${name}[${key}]` : key, inner))
  return [[name, value === null ? '' : String(value)]]
}

const isName = (text: string) => /^[A-Za-z_][\w.-]*$/.test(text)
const escaped = (text: string) =>
  text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c] ?? c)

function element(name: string, value: unknown): string {
  if (value === null) return `<${name} nil="true"/>`
  if (Array.isArray(value))
    return `<${name} type="array">${value.map((item) => element('item', item)).join('')}</${name}>`
  if (typeof value === 'object')
    return `<${name}>${Object.entries(value as Tree)
      .filter(([key]) => isName(key))
      .map(([key, inner]) => element(key, inner))
      .join('')}</${name}>`
  return `<${name}>${escaped(String(value))}</${name}>`
}

const encoded = (text: string) => encodeURIComponent(text.toWellFormed())
const boundary = 'zoetrope'

/** Writes the fields in one of the formats that a body may have. */
export function writeBody(kind: BodyKind, wrapper: string, { fields, raw }: Changed): Written {
  const wrapped = { [wrapper]: fields }
  const filled = <T>(value: T): T =>
    raw === undefined ? value : (JSON.parse(JSON.stringify(value).replaceAll(mark, () => inText(raw))) as T)
  if (kind === 'form')
    return {
      type: 'application/x-www-form-urlencoded',
      body: Buffer.from(queryText(filled(wrapped))),
      format: 'json',
    }
  if (kind === 'multipart') {
    const parts = leaves('', filled(wrapped)).map(
      ([name, text]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name.replaceAll('"', '%22')}"\r\n\r\n${text}\r\n`,
    )
    return {
      type: `multipart/form-data; boundary=${boundary}`,
      body: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
      format: 'json',
    }
  }
  if (kind === 'xml')
    return { type: 'text/xml', body: Buffer.from(element(wrapper, filled(fields))), format: 'xml' }
  const text = JSON.stringify(kind === 'json' ? wrapped : fields)
  return {
    type: 'application/json',
    body: Buffer.from(raw === undefined ? text : text.replaceAll(`"${mark}"`, () => raw)),
    format: 'json',
  }
}

/** Escapes the text for use inside a JSON string. */
const inText = (raw: string) => JSON.stringify(asText(raw)).slice(1, -1)

export const queryText = (fields: Tree): string =>
  leaves('', fields)
    .map(([name, text]) => `${name.replace(/[^\w[\].!]/g, encoded)}=${encoded(text)}`)
    .join('&')

/** Writes the fields as a query string. */
export const writeQuery = ({ fields, raw }: Changed): string =>
  queryText(fields).replaceAll(mark, () => (raw === undefined ? mark : encoded(asText(raw))))
