type Query = Readonly<Record<string, unknown>>

/** The query string with its question mark, or nothing. */
export function encodeQuery(query: Query = {}): string {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => parametersOf(name, value)),
  )
  return parameters.size > 0 ? `?${parameters}` : ''
}

/** A value as the parameters of a form: lists and objects become several. */
export function parametersOf(name: string, value: unknown): [name: string, value: string][] {
  if ((name === 'response_fields' || name === 'include') && Array.isArray(value))
    return [[name, value.join(',')]]
  if (value === undefined || value === null) return []
  if (value instanceof Date) return [[name, value.toISOString()]]
  if (Array.isArray(value)) return value.flatMap((item) => parametersOf(`${name}[]`, item))
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([key, inner]) => parametersOf(`${name}[${key}]`, inner))
  return [[name, String(value)]]
}
