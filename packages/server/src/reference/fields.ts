import { type Html, html } from '../lib/html.js'
import { inline } from './markdown.js'
import type { Model, Parameter, Schema } from './model.js'

/** A page under construction: a record that was shown on it once is linked to from then on. */
export interface PageInProgress {
  readonly model: Model
  readonly shown: Set<string>
}

const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)

/** `string`, `list of Video`, `time or null`. */
export function typeName({ $ref, type, format, enum: choices, items }: Schema): string {
  if ($ref) return nameOf($ref)
  if (type === undefined) return choices ? 'choice' : 'any'
  const names = (typeof type === 'string' ? [type] : type).map((name) => {
    if (name === 'array') return `list of ${items ? typeName(items) : 'any'}`
    if (name === 'string' && format === 'date-time') return 'time'
    return name === 'string' && format === 'binary' ? 'file' : name
  })
  return names.join(' or ')
}

const counted = (number: number) => number.toLocaleString('en')
const isShort = (choices: readonly unknown[]) => choices.length <= 12

/** What is known about a value beside its type, in a few words each. */
function factsOf(schema: Schema): Html[] {
  const { enum: choices, default: usual, minimum, maximum, maxLength, maxItems } = schema
  const list = (values: readonly unknown[]) =>
    values.map((value, index) => html`${index > 0 && ', '}<code>${String(value)}</code>`)
  return [
    ...(choices && isShort(choices) ? [html`One of ${list(choices)}`] : []),
    ...(choices && !isShort(choices)
      ? [html`<details><summary>One of ${choices.length}</summary>${list(choices)}</details>`]
      : []),
    ...(usual === undefined || usual === null ? [] : [html`Default ${list([JSON.stringify(usual)])}`]),
    ...(minimum === undefined || maximum === undefined
      ? []
      : [html`From ${counted(minimum)} to ${counted(maximum)}`]),
    ...(maxLength === undefined ? [] : [html`At most ${counted(maxLength)} characters`]),
    ...(maxItems === undefined ? [] : [html`At most ${maxItems} items`]),
  ]
}

interface FieldEntry {
  readonly name: string
  readonly isRequired: boolean
  readonly schema: Schema
  readonly about: string | undefined
}

function entryOf(page: PageInProgress, { name, isRequired, schema, about }: FieldEntry): Html {
  const facts = [...factsOf(schema), ...(schema.items ? factsOf(schema.items) : [])]
  return html`<dt><code>${name}</code> <span class="type">${typeName(schema)}</span>${
    isRequired && html` <span class="needed">required</span>`
  }${schema.readOnly && html` <span class="type">read only</span>`}</dt>
<dd>${about && html`<p>${inline(about)}</p>`}${
    facts.length > 0 &&
    html`<p class="facts">${facts.map((fact, index) => html`${index > 0 && ' · '}${fact}`)}</p>`
  }${within(page, schema)}</dd>\n`
}

/** The fields of an object, each with what is said about it. */
export const fields = (page: PageInProgress, { properties = {}, required = [] }: Schema): Html =>
  html`<dl>${Object.entries(properties).map(([name, schema]) =>
    entryOf(page, { name, isRequired: required.includes(name), schema, about: schema.description }),
  )}</dl>\n`

export const parameterList = (page: PageInProgress, parameters: readonly Parameter[]): Html =>
  html`<dl>${parameters.map(({ name, required, schema, description }) =>
    entryOf(page, {
      name,
      isRequired: required === true && schema.default === undefined,
      schema,
      about: description,
    }),
  )}</dl>\n`

/** What an object consists of: folded up where it comes first on the page, and a link to that place later on. */
export function within(page: PageInProgress, schema: Schema): Html | undefined {
  const { $ref, items, properties } = schema
  if (items) return within(page, items)
  if ($ref) return record(page, $ref)
  if (!properties || Object.keys(properties).length === 0) return undefined
  return html`<details><summary>Fields</summary>${fields(page, schema)}</details>`
}

function record(page: PageInProgress, reference: string): Html | undefined {
  const name = nameOf(reference)
  const schema = page.model.find<Schema>(reference)
  if (!schema?.properties) return undefined
  if (page.shown.has(name)) return html`<p><a href="#record-${name}">Fields of ${name}</a></p>`
  page.shown.add(name)
  return html`<details id="record-${name}"><summary>Fields of ${name}</summary>${fields(page, schema)}</details>`
}
