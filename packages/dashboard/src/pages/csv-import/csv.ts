import { strings } from './strings.js'

export const limits = { bytes: 20_000_000, rows: 10_000, columns: 100 } as const

export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly separator: string
}

/** Decodes a file as spreadsheets write it: UTF-8, UTF-16 with a byte order mark, or else the Windows code page. */
export function textOf(bytes: Uint8Array): string {
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The usual separator that occurs most often in the first line, outside quotes. */
function separatorOf(text: string): string {
  const line = text.slice(0, text.search(/[\r\n]|$/)).replaceAll(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((mark) => [mark, line.split(mark).length] as const)
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0]
}

/** Quoted cell, separator, end of a line, plain cell. */
const tokens = (mark: string) =>
  new RegExp(`"((?:[^"]|"")*)"(?=[${mark}\\r\\n]|$)|([${mark}])|(\\r\\n|\\r|\\n)|([^${mark}\\r\\n]+)`, 'g')

/** Parses RFC 4180 leniently: accepts any line ending, requires quotes only where needed, and ignores empty lines. */
function cellsOf(text: string, separator: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  const endCell = () => {
    rows.at(-1)?.push(cell.trim())
    cell = ''
  }
  for (const { index, 1: quoted, 2: mark, 3: end, 4: plain } of text.matchAll(tokens(separator))) {
    if (plain?.startsWith('"')) throw new Error(strings.unclosed(text.slice(0, index).split('\n').length))
    cell += quoted?.replaceAll('""', '"') ?? plain ?? ''
    if (mark ?? end) endCell()
    if (end) rows.push([])
    if (rows.length > limits.rows * 2) throw new Error(strings.tooManyRows(limits.rows))
  }
  endCell()
  return rows.filter((row) => row.some((value) => value !== ''))
}

/** Reads a table from the text of a file. Throws a readable message if it cannot be used. */
export function readTable(text: string): Table {
  const clean = text.replace(/^\ufeff/, '')
  const separator = separatorOf(clean)
  const [columns = [], ...rows] = cellsOf(clean, separator)
  if (columns.length > limits.columns) throw new Error(strings.tooManyColumns(limits.columns))
  if (rows.length > limits.rows) throw new Error(strings.tooManyRows(limits.rows))
  if (rows.length === 0) throw new Error(strings.noRows)
  return { columns, rows, separator }
}

const quoted = (value: string, separator: string) =>
  value.includes(separator) || /["\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value

/** A table as the text of a file. */
export const writeTable = (rows: readonly (readonly string[])[], separator: string): string =>
  `\ufeff${rows.map((row) => row.map((value) => quoted(value, separator)).join(separator)).join('\r\n')}\r\n`
