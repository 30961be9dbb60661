type ParseValue = (text: string) => unknown

const asNumber: ParseValue = (text) => Number(text)
const asText: ParseValue = (text) => text
const asDate: ParseValue = (text) => new Date(text)
const asBytes: ParseValue = (text) => Buffer.from(text.slice(2), 'hex')
const asJson: ParseValue = (text) => JSON.parse(text)
const asBoolean: ParseValue = (text) => text === 't'

/** The types whose values are not read as text, each with the type of its arrays. Others, such as bigint, stay text. */
const parsed: readonly (readonly [type: number, ofArray: number, parse: ParseValue])[] = [
  [16, 1000, asBoolean],
  [17, 1001, asBytes],
  [21, 1005, asNumber],
  [23, 1007, asNumber],
  [26, 1028, asNumber],
  [700, 1021, asNumber],
  [701, 1022, asNumber],
  [114, 199, asJson],
  [3802, 3807, asJson],
  [1082, 1182, asDate],
  [1114, 1115, asDate],
  [1184, 1185, asDate],
  // Of these, only the arrays are read: char, name, text, char(n), varchar, bigint, numeric, uuid, inet.
  ...[1002, 1003, 1009, 1014, 1015, 1016, 1231, 2951, 1041].map((type) => [0, type, asText] as const),
]

const parsers = new Map<number, ParseValue>(
  parsed.flatMap(([type, ofArray, parse]) => [
    [type, parse],
    [ofArray, (text: string) => arrayIn(text, parse)],
  ]),
)
parsers.delete(0)

/** How the driver reads the values of rows. */
export const readTypes = { getTypeParser: (type: number) => parsers.get(type) ?? asText }

/** How it passes them on as they came. */
export const leaveAsText = { getTypeParser: () => asText }

const pieces = /"((?:[^"\\]|\\.)*)"|([^,{}"]+)|([{}])/gs

/** Reads `{a,"b c",NULL}`, also nested. Bounds may stand before the braces. */
function arrayIn(text: string, parse: ParseValue): unknown[] {
  const open: unknown[][] = [[]]
  for (const [piece, quoted, plain] of text.slice(text.indexOf('{')).matchAll(pieces))
    if (piece === '{') open.push([])
    else if (piece === '}') open.at(-2)?.push(open.pop())
    else open.at(-1)?.push(elementIn(quoted, plain, parse))
  return open[0]?.[0] as unknown[]
}

function elementIn(quoted: string | undefined, plain: string | undefined, parse: ParseValue): unknown {
  if (quoted !== undefined) return parse(quoted.replace(/\\(.)/gs, '$1'))
  return plain === undefined || plain === 'NULL' ? null : parse(plain)
}

/**
 * What follows a parameter in the text of its statement. PostgreSQL infers the types of all others; of these it is told,
 * because values of other types could stand in the same place.
 */
export function castOf(value: unknown): string {
  if (typeof value === 'boolean') return '::boolean'
  if (typeof value === 'bigint') return '::bigint'
  if (value instanceof Date) return '::timestamptz'
  if (value instanceof Uint8Array) return '::bytea'
  return ''
}

/** The value as it is sent. Lists become arrays, other objects and lists of objects JSON. */
export function written(value: unknown): string | Uint8Array | null {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return null
  if (typeof value !== 'object') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return value
  if (!Array.isArray(value) || isOfObjects(value)) return JSON.stringify(value)
  return arrayOf(value)
}

const isOfObjects = ([first]: readonly unknown[]): boolean =>
  typeof first === 'object' &&
  first !== null &&
  !(Array.isArray(first) || first instanceof Date || first instanceof Uint8Array)

const arrayOf = (list: readonly unknown[]): string => `{${list.map(elementOf).join(',')}}`

function elementOf(value: unknown): string {
  if (Array.isArray(value)) return arrayOf(value)
  const text = value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : written(value)
  return text === null ? 'null' : `"${String(text).replace(/[\\"]/g, '\\$&')}"`
}
