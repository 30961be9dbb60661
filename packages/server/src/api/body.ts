import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { catalog } from '@zoetrope/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type BodyMeter, formMeter, jsonMeter, xmlMeter } from '../edge/body-meter.js'
import { isLarge } from '../edge/body-pieces.js'
import { fieldsAnd, readMultipart } from '../edge/multipart.js'
import type { Pace } from '../edge/pace.js'
import { checkDeclared, takeBody, takeInTurn } from '../edge/take-body.js'
import { invalid } from '../errors.js'
import { isObject } from '../lib/is-object.js'
import { nest, nestForm, queryOf, type Tree } from './brackets.js'
import { parseJson } from './json-text.js'
import { readXml } from './xml.js'

/** The fields of a request, as they were sent. */
export interface Fields {
  readonly tree: Tree
  /** In JSON each value has a type. In a form all values are text, and empty text means no value. In XML text may be empty; null is `nil`. */
  readonly written: 'json' | 'form' | 'xml'
  /** They stand in the query string. */
  readonly isQuery?: true
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The names under which a multipart body may bring a file here. */
    files?: readonly string[]
  }
}

const none: Fields = { tree: {}, written: 'form' }

/** Called before a body is received; throws if the headers or the address name an unknown caller. */
type Admit = (request: FastifyRequest) => Promise<void>

interface BodyKind {
  readonly type: RegExp
  meter(): BodyMeter
  read(text: string, pace: Pace): Promise<Fields> | Fields
}

const kinds: readonly BodyKind[] = [
  { type: /^application\/([\w.+-]+\+)?json\b/i, meter: jsonMeter, read: readJson },
  {
    type: /^application\/x-www-form-urlencoded\b/i,
    meter: formMeter,
    read: (text) => ({ tree: nestForm(text), written: 'form' }),
  },
  { type: /^(text|application)\/xml\b/i, meter: xmlMeter, read: readXmlFields },
]

/** Adds a parser for every kind of body. `request.body` is always `Fields`. */
export function addBodies(app: FastifyInstance, admit: Admit = async () => {}): void {
  app.removeAllContentTypeParsers()
  for (const { type, meter, read } of kinds)
    app.addContentTypeParser(type, async (request: FastifyRequest, payload: IncomingMessage) => {
      checkDeclared(request)
      await admit(request)
      return takeInTurn(request, payload, meter(), (body, pace) =>
        body.length === 0 ? none : read(decode(request, body), pace),
      )
    })
  // Some clients send odd content types with an empty body, so only a body that has content is refused.
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const type = request.headers['content-type'] ?? 'unknown'
    await admit(request)
    const refuse = () => {
      throw invalid(`A body of type ${type} cannot be read. Send JSON, a form, multipart or XML.`)
    }
    await takeBody(request, payload, { meter: refuse })
    return none
  })
  app.addContentTypeParser(/^multipart\/form-data\b/i, async (request: FastifyRequest) => {
    checkDeclared(request)
    await admit(request)
    const { pairs } = await readMultipart(request, fieldsAnd(request.routeOptions.config.files))
    return { tree: nest(pairs), written: 'form' } satisfies Fields
  })
}

/** For paths that expect no body: a small one is read and dropped; after a large one the connection is closed. */
export function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    if (!isLarge(request)) await takeBody(request, payload)
  })
}

/** The fields of a request: its body, or its query string if the body is empty or has only a credential. */
export function fieldsOf(request: FastifyRequest): Fields {
  const body = (request.body as Fields | undefined) ?? none
  const names = Object.keys(body.tree)
  if (names.length === 0) return { tree: queryOf(request), written: 'form', isQuery: true }
  if (!names.every((name) => saysWhoCalls(name, body.tree[name]))) return body
  // A credential in the query string is read from there. Here it would count as a second one.
  const asked = Object.entries(queryOf(request)).filter(([name, value]) => !saysWhoCalls(name, value))
  return { tree: { ...Object.fromEntries(asked), ...body.tree }, written: 'form', isQuery: true }
}

const callers: ReadonlySet<string> = new Set([
  'api_key',
  'app_key',
  'access_token',
  'upload_token',
  '_method',
])

/** A group of such a name holds the fields of a record, and is no credential. */
const saysWhoCalls = (name: string, value: unknown) => callers.has(name) && !isObject(value)

function decode(request: FastifyRequest, body: Buffer): string {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset && !/^(utf-?8|us-ascii)$/i.test(charset)) throw invalid('The body must be encoded as UTF-8.')
  if (!isUtf8(body)) throw invalid('The body is not valid UTF-8.')
  return body.toString().replace(/^\ufeff/, '')
}

function readJson(text: string): Fields {
  if (text.trim() === '') return none
  const value = parseJson(text)
  // Client libraries send these for an empty body.
  if (value === null || value === '') return none
  if (!isObject(value)) throw invalid('The body must be a JSON object.')
  // Some clients send JSON whose names are written with brackets.
  const tree = Object.keys(value).some((name) => name.includes('[')) ? nest(Object.entries(value)) : value
  return { tree: unenveloped(tree), written: 'json' }
}

const names = new Set<string>(Object.values(catalog).map(({ name }) => name))

/** The root may be `<video>`, any other element around it or around bare fields, or the `<result><response>` of answers. */
async function readXmlFields(text: string, pace: Pace): Promise<Fields> {
  const { root, value } = await readXml(text, pace)
  const tree = isObject(value) ? value : {}
  if (names.has(root)) return { tree: { [root]: tree }, written: 'xml' }
  return { tree: root === 'result' ? unenveloped(tree) : tree, written: 'xml' }
}

/** Clients may send a record back in the envelope in which they received it. */
function unenveloped(tree: Tree): Tree {
  if (!Object.hasOwn(tree, 'response') || !isObject(tree.response)) return tree
  // The record of an app contains its key. There it is a field, and not the credential of the request.
  const { api_key: _, app_key: __, access_token: ___, ...fields } = tree.response
  return { ...fields, ...tree }
}
