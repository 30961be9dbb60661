import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendNothing } from '../api/error-handler.js'
import { acceptsGzip, varyByEncoding } from '../edge/compression.js'
import { hasTag } from '../edge/conditional.js'
import type { OpenApi } from './openapi/document.js'

/** Bytes that never change while the process lives. They are kept compressed, because nearly everybody takes them so. */
interface Asset {
  readonly headers: Readonly<Record<string, string>>
  readonly gzipped: Buffer
}

/**
 * The document at /openapi.json and the pages that show it below /docs. None of them needs a credential or a network beyond
 * ours. Everything is made when somebody first asks for it.
 */
export function addReference(app: FastifyInstance, document: () => Promise<OpenApi>): void {
  const made = once(document)
  const json = once(async () => makeAsset(JSON.stringify(await made()), 'application/json; charset=utf-8'))
  const pages = once(async () => {
    const { openReference } = await import('./pages.js')
    return openReference(await made())
  })
  const kept = new Map<string, Promise<Asset | undefined>>()
  const page = (slug: string): Promise<Asset | undefined> => {
    const known = kept.get(slug) ?? makePage(slug)
    kept.set(slug, known)
    // Names that do not exist are not remembered: there is no end of them.
    known.then(
      (asset) => asset ?? kept.delete(slug),
      () => kept.delete(slug),
    )
    return known
  }
  const makePage = async (slug: string) => {
    const { policy, front, topic } = await pages()
    const text = slug === '' ? front() : topic(slug)
    return text === undefined ? undefined : makeAsset(text, 'text/html; charset=utf-8', pageHeaders(policy))
  }
  app.register(async (child) => {
    child.get('/openapi.json', async (request, reply) => send(request, reply, await json()))
    // Under a prefix, Fastify answers with and without the trailing slash.
    child.register(
      async (docs) => {
        docs.get('/', async (request, reply) => send(request, reply, await page('')))
        docs.get('/:slug', async (request, reply) => {
          const { slug } = request.params as { slug: string }
          return send(request, reply, await page(slug))
        })
      },
      { prefix: '/docs' },
    )
  })
}

const pageHeaders = (policy: string) => ({
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
})

/** What failed once is tried again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}

async function send(request: FastifyRequest, reply: FastifyReply, asset: Asset | undefined) {
  if (!asset) return sendNothing(request, reply)
  const { headers, gzipped } = asset
  varyByEncoding(reply.headers(headers))
  if (hasTag(request.headers['if-none-match'], headers.etag ?? '')) return reply.code(304).send()
  if (acceptsGzip(request.headers['accept-encoding']))
    return reply.header('content-encoding', 'gzip').send(gzipped)
  return reply.send(await promisify(gunzip)(gzipped))
}

async function makeAsset(text: string, type: string, more: Record<string, string> = {}): Promise<Asset> {
  const plain = Buffer.from(text)
  // Weak, because the gzipped bytes and the plain ones share it.
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  const headers = {
    'content-type': type,
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    etag,
    ...more,
  }
  return { headers, gzipped: await promisify(gzip)(plain) }
}
