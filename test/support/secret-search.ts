/**
 * Searches logs for secrets: for the known ones, plain and as they appear in an address, JSON or a Basic header, and
 * for anything that looks like a secret. Searching a hundred megabytes for thousands of secrets takes a few seconds.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Finding {
  readonly file: string
  readonly line: number
  /** The line around it, with all findings masked. */
  readonly text: string
}

export interface SearchResult {
  readonly secrets: number
  readonly lines: number
  readonly findings: readonly Finding[]
}

interface Hit {
  readonly at: number
  readonly end: number
}

/** Searches the `*.log` files of a folder for the secrets in its `*.secrets` files. */
export function searchLogs(folder: string): SearchResult {
  const names = readdirSync(folder).sort()
  const secrets = new Set(
    names.filter((name) => name.endsWith('.secrets')).flatMap((name) => read(folder, name)),
  )
  const index = indexOf([...secrets].flatMap(disguisesOf))
  const findings: Finding[] = []
  let lines = 0
  for (const file of names.filter((name) => name.endsWith('.log'))) {
    const log = readFileSync(join(folder, file))
    // A killed process may have left half a line.
    lines += count(log, newline) + (log.length === 0 || log.at(-1) === newline ? 0 : 1)
    findings.push(...describe(file, log, [...knownIn(log, index), ...shapedIn(log)]))
  }
  return { secrets: secrets.size, lines, findings }
}

/** Whole lines only, for the same reason. */
const read = (folder: string, name: string): string[] =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => /^".*"$/.test(line))
    .map((line) => JSON.parse(line) as string)

/** Returns the forms in which a secret may appear in a log line. */
function disguisesOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret)
  const escaped = JSON.stringify(secret).slice(1, -1)
  return [
    secret,
    encoded,
    encoded.replaceAll('%20', '+'),
    encoded.replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    escaped,
    // A message that quotes JSON is escaped once more when it is logged.
    JSON.stringify(escaped).slice(1, -1),
    ...(/^[a-z2-9]{7}$/.test(secret) ? typedPins(secret) : []),
    ...(secret.length >= 12 ? inBase64(Buffer.from(secret)) : []),
  ]
}

const typedPins = (pin: string): string[] =>
  [3, 4].flatMap((first) => ['-', ' '].map((between) => pin.slice(0, first) + between + pin.slice(first)))

/** The letters that do not depend on the surrounding text, such as an id and a colon in a Basic header. */
const inBase64 = (secret: Buffer): string[] =>
  [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), secret])
    const first = Math.ceil((before * 8) / 6)
    const last = Math.floor((whole.length * 8) / 6)
    return (['base64', 'base64url'] as const).map((kind) => whole.toString(kind).slice(first, last))
  })

/** Ignores case: PINs and the digits of percent-encoding may be written either way. */
const lowered = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte))
const newline = 10
/** Texts are looked up by a hash of their last bytes, which differ more than their first. */
const span = 6
const factor = 0x01000193
const factorOut = Array.from({ length: span }).reduce<number>((power) => Math.imul(power, factor), 1)

interface Index {
  /** Whether any text has a hash with these low bits. */
  readonly mayBe: Uint8Array
  readonly texts: ReadonlyMap<number, readonly Uint8Array[]>
}

const lowBits = 0xf_ffff

function indexOf(wanted: readonly string[]): Index {
  const mayBe = new Uint8Array(lowBits + 1)
  const texts = new Map<number, Uint8Array[]>()
  for (const text of new Set(wanted)) {
    const bytes = Buffer.from(text).map((byte) => lowered[byte] ?? byte)
    if (bytes.length < span) continue
    const hash = bytes.subarray(-span).reduce((sum, byte) => (Math.imul(sum, factor) + byte) | 0, 0)
    mayBe[hash & lowBits] = 1
    const same = texts.get(hash) ?? []
    same.push(bytes)
    texts.set(hash, same)
  }
  return { mayBe, texts }
}

/** Finds all occurrences of all texts in one pass, with a rolling hash over the last bytes. */
function knownIn(log: Buffer, { mayBe, texts }: Index): Hit[] {
  const hits: Hit[] = []
  let hash = 0
  for (let at = 0; at < log.length; at += 1) {
    const leaving = at < span ? 0 : (lowered[log[at - span] as number] as number)
    const coming = lowered[log[at] as number] as number
    hash = (Math.imul(hash, factor) + coming - Math.imul(leaving, factorOut)) | 0
    if (mayBe[hash & lowBits] === 0) continue
    for (const text of texts.get(hash) ?? [])
      if (endsWith(log, at + 1, text)) hits.push({ at: at + 1 - text.length, end: at + 1 })
  }
  return hits
}

function endsWith(log: Buffer, end: number, text: Uint8Array): boolean {
  const start = end - text.length
  return start >= 0 && text.every((byte, offset) => lowered[log[start + offset] as number] === byte)
}

/** Keys, client secrets, password hashes, and 32 bytes in hexadecimal, as in a secret key or a digest. */
const shapes = /z(?:k_(?:admin|read_only|player|app)|s_client|t_upload)_\w{6,}|\$argon2|[0-9a-f]{64}/gi

const shapedIn = (log: Buffer): Hit[] =>
  [...log.toString('latin1').matchAll(shapes)]
    .filter(([found]) => found.length < 64 || isVaried(found, 8))
    .map(({ index, 0: { length } }) => ({ at: index, end: index + length }))

/** Returns whether a text has at least this many different characters, as random text does. */
export const isVaried = (text: string, least: number): boolean => new Set(text).size >= least

function count(log: Buffer, wanted: number): number {
  let sum = 0
  for (const byte of log) if (byte === wanted) sum += 1
  return sum
}

const around = 150

/** Returns one finding for each line with hits. */
function describe(file: string, log: Buffer, hits: readonly Hit[]): Finding[] {
  const lines = new Map<number, Hit[]>()
  for (const hit of hits.toSorted((one, other) => one.at - other.at)) {
    const start = log.lastIndexOf(newline, hit.at) + 1
    const inLine = lines.get(start) ?? []
    inLine.push(hit)
    lines.set(start, inLine)
  }
  let line = 1
  let counted = 0
  return [...lines].map(([start, inLine]) => {
    line += count(log.subarray(counted, start), newline)
    counted = start
    return { file, line, text: masked(log, start, inLine) }
  })
}

function masked(log: Buffer, start: number, hits: readonly Hit[]): string {
  const next = log.indexOf(newline, start)
  const line = Buffer.from(log.subarray(start, next < 0 ? log.length : next))
  for (const { at, end } of hits) line.fill('*', at - start, end - start)
  const from = Math.max((hits[0]?.at ?? 0) - start - around, 0)
  return line.toString('latin1', from, from + 2 * around)
}
