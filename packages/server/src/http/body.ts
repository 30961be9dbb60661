import { catalog } from '@zoetrope/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid } from '../errors.js'
import { nest, nestForm, queryOf, type Tree } from './brackets.js'
import { readParts } from './multipart.js'
import { readXml } from './xml.js'

/** A request's fields as they came. */
export interface Fields {
  readonly tree: Tree
  /** JSON says what each value is. In a form all is text, and nothing is empty text. In XML text may be empty: null is `nil`. */
  readonly written: 'json' | 'form' | 'xml'
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The names under which a multipart body may bring a file here. */
    files?: readonly string[]
  }
}

const none: Fields = { tree: {}, written: 'form' }

/** Teaches the server every kind of body; whichever came, `request.body` is `Fields`. */
export function addBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const kinds: [RegExp, (text: string) => Fields | Promise<Fields>][] = [
    [/^application\/([\w.+-]+\+)?json\b/i, readJson],
    [/^application\/x-www-form-urlencoded\b/i, (text) => ({ tree: nestForm(text), written: 'form' })],
    [/^(text|application)\/xml\b/i, readXmlFields],
  ]
  for (const [type, read] of kinds)
    app.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
      body.length === 0 ? none : read(decode(request, body)),
    )
  app.addContentTypeParser(
    /^multipart\/form-data\b/i,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => ({
      tree: nest(await readParts(request.headers, body, request.routeOptions.config.files)),
      written: 'form',
    }),
  )
  // Clients in the field send odd types with nothing in the body; only a body that cannot be read is refused.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return none
    throw invalid(
      `A body of type ${request.headers['content-type'] ?? 'unknown'} cannot be read. Send JSON, a form, multipart or XML.`,
    )
  })
}

/** The fields of a request: its body, or its query string when the body is empty or says only who calls. */
export function fieldsOf(request: FastifyRequest): Fields {
  const body = (request.body as Fields | undefined) ?? none
  const names = Object.keys(body.tree)
  if (names.length === 0) return { tree: queryOf(request), written: 'form' }
  if (!names.every((name) => saysWhoCalls(name, body.tree[name]))) return body
  // A credential of the query is found there: here it would be a second one.
  const asked = Object.entries(queryOf(request)).filter(([name, value]) => !saysWhoCalls(name, value))
  return { tree: { ...Object.fromEntries(asked), ...body.tree }, written: 'form' }
}

const callers: ReadonlySet<string> = new Set([
  'api_key',
  'app_key',
  'access_token',
  'upload_token',
  '_method',
])

/** A group of that name holds the fields of a record. */
const saysWhoCalls = (name: string, value: unknown) => callers.has(name) && !isTree(value)

function decode(request: FastifyRequest, body: Buffer): string {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset && !/^(utf-?8|us-ascii)$/i.test(charset)) throw invalid('The body must be encoded as UTF-8.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
}

function readJson(text: string): Fields {
  if (text.trim() === '') return none
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('The body must be a JSON object.')
  // Some clients send JSON whose names are written with brackets.
  const tree = Object.keys(value).some((name) => name.includes('['))
    ? nest(Object.entries(value))
    : (value as Tree)
  return { tree: unenveloped(tree), written: 'json' }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalid(
      `The JSON cannot be read: ${cause instanceof Error ? cause.message : 'it is not well-formed'}.`,
    )
  }
}

const names = new Set<string>(Object.values(catalog).map(({ name }) => name))

/** `<video>…`, any other root around it or around bare fields, or the shape that answers have: `<result><response>…`. */
async function readXmlFields(text: string): Promise<Fields> {
  const { root, value } = await readXml(text)
  const tree = isTree(value) ? value : {}
  if (names.has(root)) return { tree: { [root]: tree }, written: 'xml' }
  return { tree: root === 'result' ? unenveloped(tree) : tree, written: 'xml' }
}

/** What was read may be sent back in the envelope it came in. */
function unenveloped(tree: Tree): Tree {
  if (!Object.hasOwn(tree, 'response') || !isTree(tree.response)) return tree
  // An app's record shows its key: read back, it is a field and not the credential of the request.
  const { api_key: _, app_key: __, access_token: ___, ...fields } = tree.response
  return { ...fields, ...tree }
}

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
