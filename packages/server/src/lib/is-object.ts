/** Whether a value is an object with names, as in JSON: neither a list nor null. */
export const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
