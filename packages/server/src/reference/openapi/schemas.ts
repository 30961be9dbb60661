import {
  actionSchema,
  type Field,
  inputSchema,
  type JsonSchema,
  paginationSchema,
  type Resource,
  recordSchema,
  type Shown,
  searchSummary,
} from '@zoetrope/contract'
import { pascalCase } from './names.js'

type Schemas = Record<string, JsonSchema>

export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Every schema of a resource: the record, what may be sent, and the envelopes they travel in. */
export function resourceSchemas(resource: Resource): Schemas {
  const name = pascalCase(resource.name)
  const record = withoutDefaults(documented(recordSchema(resource), resource.fields))
  const schemas: Schemas = {
    // response_fields may leave out every field but the id, so no other can be promised.
    [name]: { ...record, required: ['_id'], description: resource.about, xml: { name: resource.name } },
  }
  if (answersAlone(resource)) schemas[`${name}Response`] = envelope({ response: schemaRef(name) })
  if (resource.operations.includes('list')) schemas[`${name}List`] = listSchema(resource)
  if (resource.operations.includes('create')) schemas[`${name}Input`] = input(resource, 'create')
  if (resource.operations.includes('update')) schemas[`${name}Update`] = input(resource, 'update')
  return schemas
}

/** Whether an operation or action returns one record. */
const answersAlone = ({ operations, actions }: Resource) =>
  operations.some((operation) => operation !== 'list' && operation !== 'remove') ||
  Object.values(actions).some(({ answers }) => answers === undefined)

function listSchema(resource: Resource): JsonSchema {
  const response = {
    type: 'array',
    items: schemaRef(pascalCase(resource.name)),
    xml: { wrapped: true },
    description: 'The records of this page.',
  }
  const schema = envelope({ response, pagination: schemaRef('Pagination') })
  if (!resource.wideSearch) return schema
  const found = withoutDefaults(documented(actionSchema(searchSummary), searchSummary))
  const search = { ...found, description: 'What a search found; only with search.' }
  return { ...schema, properties: { ...(schema.properties as Schemas), search } }
}

/** Records inside each other, under their plural name. */
export function forestSchema({ name, plural, fields }: Shown): JsonSchema {
  const item = { ...documented(actionSchema(fields), fields), xml: { name } }
  return envelope({ [plural]: { type: 'array', items: item, xml: { wrapped: true } } })
}

function envelope(properties: Schemas): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties, xml: { name: 'result' } }
}

function input(resource: Resource, operation: 'create' | 'update'): JsonSchema {
  const schema = documented(inputSchema(resource, operation), resource.fields)
  const description =
    operation === 'create'
      ? 'What a new record may be given. Times may also be seconds since 1970, and prices numbers.'
      : 'What may be changed. A field that is not sent stays as it is.'
  // An update fills nothing in, so a default would mislead.
  const clear = operation === 'create' ? withSpokenDefaults(schema) : withoutDefaults(schema)
  return { ...clear, description, xml: { name: resource.name } }
}

/**
 * Code generators take a field with a default for one that is always there, and want it in every request. So the default of
 * a field in a body is said in its description.
 */
export const withSpokenDefaults = (schema: JsonSchema): JsonSchema =>
  mapProperties(schema, ({ default: fallback, ...rest }) =>
    fallback === undefined || fallback === null
      ? rest
      : { ...rest, description: `${rest.description} ${spoken(fallback)} if it is not sent.` },
  )

const spoken = (value: unknown) => (value === '' ? 'Empty' : `\`${JSON.stringify(value)}\``)

const withoutDefaults = (schema: JsonSchema): JsonSchema =>
  mapProperties(schema, ({ default: _, ...rest }) => rest)

/** Changes every property, also of the objects in lists. */
function mapProperties(schema: JsonSchema, change: (property: JsonSchema) => JsonSchema): JsonSchema {
  const { properties } = schema
  if (!properties) return schema
  const changed = Object.entries(properties as Schemas).map(([name, property]) => {
    const { items } = property
    const inner = items ? { items: mapProperties(items as JsonSchema, change) } : {}
    return [name, { ...change(property), ...inner }]
  })
  return { ...schema, properties: Object.fromEntries(changed) }
}

/** An object schema of the contract with what only a reader needs added to each property. */
export function documented(schema: JsonSchema, fields: Readonly<Record<string, Field>>): JsonSchema {
  const properties = Object.entries(schema.properties as Schemas).map(([name, property]) => {
    const field = fields[name]
    return [name, field ? documentedValue(property, field) : property]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

function documentedValue(schema: JsonSchema, field: Field): JsonSchema {
  const { example, default: fallback, ...rest } = schema
  return {
    ...rest,
    ...(Array.isArray(rest.enum) ? choiceSchema(rest.enum) : {}),
    ...items(rest, field),
    ...(example === undefined ? {} : { examples: [example] }),
    // "now" is a word of ours, not a date-time; the field's sentence says what happens.
    ...(fallback === undefined || fallback === 'now' ? {} : { default: fallback }),
    ...(field.computed ? { readOnly: true } : {}),
    ...(field.writeOnly ? { writeOnly: true } : {}),
    ...(field.restricted
      ? { description: `${field.about} Only the admin key writes it; from others it is ignored.` }
      : {}),
  }
}

/** Arrays in XML are an element of the field's name around one element per item. */
function items(schema: JsonSchema, field: Field): JsonSchema {
  if (field.kind !== 'list' && field.kind !== 'objects') return {}
  const item = schema.items as JsonSchema
  const inside = field.kind === 'list' ? documentedValue(item, field.of) : documented(item, field.of)
  return { items: { ...inside, xml: { name: field.item } }, xml: { wrapped: true } }
}

/** A choice is declared by its options alone; code generators want its type too. */
export function choiceSchema(options: readonly unknown[]): JsonSchema {
  const kind = options.some((option) => typeof option === 'string') ? 'string' : 'integer'
  return { type: options.includes(null) ? [kind, 'null'] : kind, enum: options }
}

export const messageComponent: JsonSchema = {
  type: 'object',
  description: 'What was done, for a person.',
  required: ['message'],
  properties: { message: { type: 'string', description: 'A sentence for a person.' } },
  xml: { name: 'result' },
}

export const paginationComponent: JsonSchema = { ...paginationSchema, xml: { name: 'pagination' } }
