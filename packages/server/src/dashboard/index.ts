import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../errors.js'
import { sendNothing } from '../http/error-handler.js'
import { openAssets } from './assets.js'
import { readPage } from './page.js'

export interface DashboardOptions {
  /** Where its files lie. */
  readonly folder: string
  /** Public addresses from which its pages show pictures and the player. */
  readonly mediaUrls: readonly string[]
}

/** The publisher's dashboard: one page for all its addresses, and the files that the page asks for. */
export function addDashboard(app: FastifyInstance, { folder, mediaUrls }: DashboardOptions): void {
  const origins = [...new Set(mediaUrls.map((url) => new URL(url).origin))].join(' ')
  const assets = openAssets(join(folder, 'assets'))

  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(18).toString('base64')
    const page = await readPage(folder, request.url, nonce)
    return reply
      .headers({ ...pageHeaders, 'content-security-policy': policy(nonce, origins) })
      .type('text/html; charset=utf-8')
      .send(page)
  }

  // A person who types only the host wants the dashboard. For programs there is nothing at this path.
  app.get('/', (request, reply) =>
    /\btext\/html\b/i.test(request.headers.accept ?? '')
      ? reply.header('cache-control', 'no-store').redirect('/dashboard', 302)
      : sendNothing(request, reply),
  )
  app.get('/dashboard', sendPage)
  app.get('/dashboard/*', async (request, reply) => {
    // What is not among the requests of the dashboard's own API is no page either.
    if (/^\/dashboard\/api(\/|$)/.test(request.url)) throw notFound('page')
    return sendPage(request, reply)
  })
  app.get('/dashboard/assets/:name', async (request, reply) => {
    const { name } = request.params as { name: string }
    const asset = await assets(name)
    if (!asset) throw notFound('file')
    const accepted = request.headers['accept-encoding'] ?? ''
    const form = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : 'plain'
    reply.headers({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': asset.type,
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'Accept-Encoding',
    })
    if (form !== 'plain') reply.header('content-encoding', form)
    return reply.send(asset[form])
  })
}

const pageHeaders = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** Scripts are files of ours and nothing else. Styles too, but for those that carry the nonce of this one answer. */
function policy(nonce: string, origins: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // Pictures of videos may be at any address that the publisher gave.
    "img-src 'self' https: http: data: blob:",
    `media-src 'self' blob: ${origins}`,
    `frame-src 'self' ${origins}`,
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
