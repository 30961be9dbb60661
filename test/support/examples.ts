import { documentedPath } from '@zoetrope/contract'
import type { Endpoint, Target } from '../api/access-targets.js'
import type { Reply } from '../api/ask.js'

/** One call as a test made it, with values that change between runs replaced. One line in the file of examples. */
export interface Example {
  readonly operation: string
  readonly path: string
  readonly body?: unknown
  readonly form?: unknown
  readonly isOpen?: true
  readonly status: number
  readonly answer?: unknown
}

export const operationOf = ({ resource, method, path }: Endpoint): string =>
  `${method} ${documentedPath(resource, path)}`

/** Words from the tests, and what the reference shows instead. */
const words: Readonly<Record<string, string>> = {
  Target: 'The Horse in Motion',
  target: 'the-horse-in-motion',
  Changed: 'The Horse in Motion',
  changed: 'the-horse-in-motion',
}

const moment = '2026-03-12T19:04:46.000Z'
const sample = (length: number) => '9b1f4c07e25ad836'.repeat(8).slice(0, length)

type Replace = readonly [pattern: RegExp, by: (found: string) => string]

/** Ids stay distinct. Every other random value is replaced by the same sample. */
function replacements(): readonly Replace[] {
  const ids = new Map<string, string>()
  const idOf = (id: string) => {
    const known = ids.get(id) ?? `65f0c0ffee01234567890${String(ids.size + 1).padStart(3, '0')}`
    ids.set(id, known)
    return known
  }
  return [
    [/http:\/\/127\.0\.0\.1:\d+/g, () => 'https://api.example.com'],
    [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}@example\.com/g, () => 'jane@example.com'],
    [/\bviewer-[0-9a-f]{10}@example\.com/g, () => 'jane@example.com'],
    [/(?<=\bUpload script) [0-9a-f-]{36}\b/g, () => ''],
    [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, () => 'b2f9d8a4-5f6e-4c0b-9a51-7f2d3c8e6b10'],
    [/(?<=\bz[kst]_[a-z_]+_)[0-9a-f]{40}\b/g, (text) => sample(text.length)],
    [/(?<=\bwhsec_)[\w+/]{32}/g, (text) => sample(text.length)],
    [/(?<=\/invitation\/)[\w-]{43}/g, (text) => sample(text.length)],
    // The expiry and the signature of a signed address.
    [/\.[0-9a-z]{8}\.[\w-]{43}\b/g, () => `.mwi825l9.${sample(43)}`],
    [/\b[0-9a-f]{32,}\b/g, (text) => sample(text.length)],
    [/\b[0-9a-f]{24}\b/g, idOf],
    [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, () => moment],
    [/(?<=\/)[\w-]{60,}(?=\/)/g, () => 'signed'],
    [/\b(target|changed)-[0-9a-f]{8}\b/g, () => 'the-horse-in-motion'],
  ]
}

const byName: Readonly<Record<string, string>> = {
  pin: 'zizm529',
  code: 'K7PQ2MWX9RTA4CHD',
  nice_code: 'K7PQ-2MWX-9RTA-4CHD',
  next_cursor: 'Sf_3SqVuWyJjM0',
  token: sample(48),
  password: 'correct horse',
  current_sign_in_ip: '203.0.113.7',
  last_sign_in_ip: '203.0.113.7',
  last_four: sample(40).slice(-4),
}

function settled(value: unknown, name: string, replace: readonly Replace[]): unknown {
  if (Array.isArray(value)) return value.map((each) => settled(each, name, replace))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, settled(each, key, replace)]))
  if (typeof value !== 'string') return value
  if (Object.hasOwn(byName, name)) return byName[name]
  const text = words[value] ?? value
  return replace.reduce((so, [pattern, by]) => so.replace(pattern, by), text)
}

/** An example of a page shows only its first record. */
function short(answer: unknown): unknown {
  const { response } = answer as { response?: unknown }
  return Array.isArray(response) ? { ...(answer as object), response: response.slice(0, 1) } : answer
}

/** Returns the target with only its required fields. An example sends no others. */
export function withNeeded(endpoint: Endpoint, target: Target): Target {
  const { resource, name } = endpoint
  const action = resource.actions[name]
  const isNeeded = (field: string) => {
    if (action) return Object.hasOwn(action.body ?? {}, field)
    // A list of events is about one record, or its example would depend on what came before.
    const isOfRecord = resource.name === 'event' && field === 'record_id'
    return (
      isOfRecord || name === 'create' || name === 'update' || resource.fields[field]?.beside !== undefined
    )
  }
  const fields = Object.fromEntries(Object.entries(target.fields).filter(([field]) => isNeeded(field)))
  return { ...target, fields }
}

export function exampleOf(
  endpoint: Endpoint,
  { id, parentId, grandparentId = '', fields }: Target,
  reply: Reply,
): Example {
  const { method, name, path, resource } = endpoint
  const replace = replacements()
  const writes = method === 'POST' || method === 'PUT'
  const query = new URLSearchParams(fields as Record<string, string>).toString()
  const address =
    path.replace(':grandparent_id', grandparentId).replace(':parent_id', parentId).replace(':id', id) +
    (writes || !query ? '' : `?${query}`)
  // The fields of a record are wrapped in its name. Those of an action are not.
  const sent = name === 'create' || name === 'update' ? { [resource.name]: fields } : fields
  const body = writes && Object.keys(fields).length > 0 ? sent : undefined
  return {
    operation: operationOf(endpoint),
    path: settled(address, '', replace) as string,
    ...(body ? { body: settled(body, '', replace) } : {}),
    status: reply.status,
    ...(Object.keys(reply.body).length === 0 ? {} : { answer: settled(short(reply.body), '', replace) }),
  }
}

/**
 * An example of a call that is not about a record. Its form authenticates the caller; without a form the call is
 * public.
 */
export function plainExample(
  operation: string,
  path: string,
  form: object | undefined,
  reply: Reply,
): Example {
  const replace = replacements()
  return {
    operation,
    path: settled(path, '', replace) as string,
    ...(form ? { form: settled(form, '', replace) } : { isOpen: true }),
    status: reply.status,
    ...(reply.text === '' ? {} : { answer: settled(reply.body, '', replace) }),
  }
}

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

/**
 * Returns where a response differs in shape from the recorded one. Null counts as absent, lists are compared by their
 * first item, and additional fields are allowed.
 */
export function differences(recorded: unknown, fresh: unknown, at = 'answer'): string[] {
  const [before, now] = [kindOf(recorded), kindOf(fresh)]
  if (before === 'null' || now === 'null') return []
  if (before !== now) return [`${at} was ${before} and is ${now}`]
  if (Array.isArray(recorded) && Array.isArray(fresh))
    return recorded.length > 0 && fresh.length > 0 ? differences(recorded[0], fresh[0], `${at}[0]`) : []
  if (before !== 'object') return []
  const [old, young] = [recorded as Record<string, unknown>, fresh as Record<string, unknown>]
  return Object.keys(old).flatMap((key) =>
    Object.hasOwn(young, key) ? differences(old[key], young[key], `${at}.${key}`) : [`${at}.${key} is gone`],
  )
}
