import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { hasTag } from './conditional.js'

/** Bytes that never change while the process lives. */
interface Asset {
  readonly headers: Readonly<Record<string, string>>
  readonly plain: Buffer
  readonly gzipped: Buffer
}

/** The document at /openapi.json and the page that shows it at /docs. Neither needs a credential or a network beyond ours. */
export function addReference(app: FastifyInstance, document: () => object): void {
  const json = once(() => makeAsset(JSON.stringify(document()), 'application/json; charset=utf-8'))
  // Scalar weighs megabytes, so nothing of it is loaded before somebody reads the reference.
  const scalar = once(() => readScalar(serverOrigins(document())))
  const page = async () => (await scalar()).page
  const script = async () => (await scalar()).script
  app.register(async (child) => {
    child.get('/openapi.json', serve(json))
    child.get('/docs/scalar.js', serve(script))
    // Under a prefix, Fastify answers with and without the trailing slash.
    child.register(async (docs) => docs.get('/', serve(page)), { prefix: '/docs' })
  })
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

function serve(asset: () => Promise<Asset>) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { headers, plain, gzipped } = await asset()
    // Whoever came before may have said what else the answer depends on.
    const vary = [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', ')
    reply.headers({ ...headers, vary })
    if (hasTag(request.headers['if-none-match'], headers.etag ?? '')) return reply.code(304).send()
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(plain)
    return reply.header('content-encoding', 'gzip').send(gzipped)
  }
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
  return { headers, plain, gzipped: await promisify(gzip)(plain) }
}

/** Scalar keeps its script inside its plugin, so the plugin is asked once, on a server that never listens. */
async function readScalar(origins: readonly string[]): Promise<{ page: Asset; script: Asset }> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const server = fastify()
  await server.register(scalar, { routePrefix: '/docs', configuration })
  const [page, script] = await Promise.all([server.inject('/docs/'), server.inject('/docs/js/scalar.js')])
  await server.close()
  const html = completed(page.body)
  return {
    page: await makeAsset(html, 'text/html; charset=utf-8', {
      'content-security-policy': contentPolicy(html, origins),
      'referrer-policy': 'no-referrer',
    }),
    script: await makeAsset(script.body, 'text/javascript; charset=utf-8'),
  }
}

const configuration = {
  pageTitle: 'Zoetrope API reference',
  url: '/openapi.json',
  cdn: '/docs/scalar.js',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'api_key' },
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
} as const

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='7'/%3E%3C/svg%3E"
const withoutScript =
  '<noscript><p>This page needs JavaScript. The same reference, for tools: <a href="/openapi.json">openapi.json</a>.</p></noscript>'

/** Scalar's page names no language, no icon, and says nothing to a browser without scripts. */
function completed(html: string): string {
  return html
    .replace('<html>', '<html lang="en">')
    .replace('</head>', `<link rel="icon" href="${icon}" /></head>`)
    .replace('<div id="app"></div>', `<div id="app"></div>${withoutScript}`)
}

/** Lets the page reach this server and the API it describes, and nobody else, whatever Scalar may try. */
function contentPolicy(html: string, origins: readonly string[]): string {
  const inline = [...html.matchAll(/<script[^>]*>([^<].*?)<\/script>/gs)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src ${["'self'", ...origins].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
}

function serverOrigins(document: object): string[] {
  const servers = 'servers' in document && Array.isArray(document.servers) ? document.servers : []
  return servers.map(({ url }: { url: string }) => new URL(url).origin)
}
