interface Parameter {
  readonly name: string
  readonly in: string
}
interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
}
interface Operation {
  readonly parameters?: readonly (Parameter & { readonly $ref?: string })[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }
  readonly responses?: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** One target: an operation, and the place in it to attack. */
export interface Target {
  readonly method: string
  /** With `{id}` in place of the record's id. */
  readonly path: string
  readonly at: 'operation' | 'query' | 'path' | 'body'
  readonly name: string
  /** The singular name that wraps a body's fields, if any. */
  readonly wrapper: string | undefined
}

/** A stream never ends, so its response cannot be awaited. */
const isStream = ({ responses }: Operation) =>
  Object.hasOwn(responses?.[200]?.content ?? {}, 'text/event-stream')

/** Returns every operation, parameter and body field that the document declares, except those of streams. */
export function targetsOf(document: Document): Target[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      if (isStream(operation)) return []
      const base = { method: method.toUpperCase(), path }
      const parameters = (operation.parameters ?? []).map((given) => resolve<Parameter>(document, given))
      const { wrapper, fields } = bodyOf(document, operation)
      return [
        { ...base, at: 'operation' as const, name: '', wrapper },
        ...parameters.map((parameter) => ({
          ...base,
          at: parameter.in === 'path' ? ('path' as const) : ('query' as const),
          name: parameter.name,
          wrapper,
        })),
        ...fields.map((name) => ({ ...base, at: 'body' as const, name, wrapper })),
      ]
    }),
  )
}

function resolve<T>(document: Document, given: object & { readonly $ref?: string }): T {
  const [, , kind = '', name = ''] = given.$ref?.split('/') ?? []
  return (given.$ref ? document.components[kind]?.[name] : given) as T
}

function bodyOf(
  document: Document,
  { requestBody }: Operation,
): { wrapper: string | undefined; fields: string[] } {
  const properties = requestBody?.content['application/json']?.schema?.properties ?? {}
  const [entry] = Object.entries(properties)
  if (!entry?.[1].$ref) return { wrapper: undefined, fields: Object.keys(properties) }
  const inner = resolve<Schema>(document, entry[1])
  return { wrapper: entry[0], fields: Object.keys(inner.properties ?? {}) }
}
