import { slugOf } from './markdown.js'
import type { OpenApi } from './openapi/document.js'

/** JSON Schema, as far as the document uses it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly required?: boolean
  readonly schema: Schema
}

interface Media {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>
}

export type Content = Readonly<Record<string, Media>>

export interface Response {
  readonly description: string
  readonly content?: Content
}

type Reference = { readonly $ref: string }

/** An operation as the document describes it. */
export interface Described {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Response | Reference>>
  readonly 'x-codeSamples'?: readonly { readonly label: string; readonly source: string }[]
}

export interface Operation extends Described {
  readonly method: string
  readonly path: string
}

/** The operations of one kind of record, on a page of their own. */
export interface Topic {
  readonly name: string
  readonly slug: string
  readonly about: string
  readonly operations: readonly Operation[]
}

export interface Chapter {
  readonly name: string
  readonly topics: readonly Topic[]
}

/** The document in the order in which people read it. */
export interface Model {
  readonly title: string
  readonly version: string
  readonly introduction: string
  readonly server: string
  readonly chapters: readonly Chapter[]
  /** What stands at a place of the document that others refer to. */
  find<T>(reference: string): T | undefined
}

export function modelOf(document: OpenApi): Model {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ ...(described as Described), method, path })),
  )
  const topicOf = (name: string): Topic => ({
    name,
    slug: slugOf(name),
    about: document.tags.find((tag) => tag.name === name)?.description ?? '',
    operations: operations.filter(({ tags }) => tags.includes(name)),
  })
  const { title, version, description } = document.info as Record<string, string>
  return {
    title: title ?? '',
    version: version ?? '',
    introduction: description ?? '',
    server: document.servers[0]?.url ?? '',
    chapters: document['x-tagGroups'].map(({ name, tags }) => ({ name, topics: tags.map(topicOf) })),
    find<T>(reference: string) {
      const steps = reference.split('/').slice(1)
      return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], document) as
        | T
        | undefined
    },
  }
}
