import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendNothing } from '../api/error-handler.js'
import { ApiError, notFound } from '../errors.js'
import { openAssets } from './assets.js'

export interface DashboardOptions {
  /** The folder of the built files. */
  readonly folder: string
  /** Public URLs from which its pages load media and the player. */
  readonly mediaUrls: readonly string[]
}

/** Serves the publisher's dashboard: one HTML page for all its paths, and the assets of that page. */
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

  // Browsers are redirected to the dashboard. For programs there is nothing at this path.
  app.get('/', (request, reply) =>
    /\btext\/html\b/i.test(request.headers.accept ?? '')
      ? reply.header('cache-control', 'no-store').redirect('/dashboard', 302)
      : sendNothing(request, reply),
  )
  app.get('/dashboard', sendPage)
  app.get('/dashboard/*', async (request, reply) => {
    // Unknown paths of the dashboard's API are not pages.
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

/** Scripts load only from this origin. So do styles, except inline styles with this response's nonce. */
function policy(nonce: string, origins: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // Publishers can set any URL as the image of a video.
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

/** The files that each page needs besides those of the first load, by path. `$id` in a path matches anything. */
type Pages = Readonly<Record<string, readonly string[]>>

/** Returns the HTML for a URL, with preload links for the files of that page. */
async function readPage(folder: string, url: string, nonce: string): Promise<string> {
  const [page, pages] = await Promise.all([
    readFile(join(folder, 'index.html'), 'utf8'),
    readFile(join(folder, 'pages.json'), 'utf8'),
  ]).catch((cause) => {
    throw new ApiError(503, 'The dashboard has not been built. `npm run build -- dashboard` builds it.', {
      cause,
    })
  })
  const links = filesFor(url, JSON.parse(pages) as Pages).map(
    (name) => `<link rel="modulepreload" href="/dashboard/assets/${name}">`,
  )
  return page.replace('{nonce}', nonce).replace('<!--{preload}-->', links.join('\n'))
}

function filesFor(url: string, pages: Pages): readonly string[] {
  const path = url.replace(/[?#].*/, '').replace(/^\/dashboard(\/c\/[0-9a-f]{24}(?=\/|$))?/, '')
  const asked = partsOf(path)
  const found = Object.keys(pages).find((path) => {
    const parts = partsOf(path)
    return (
      parts.length === asked.length &&
      parts.every((part, index) => part.startsWith('$') || part === asked[index])
    )
  })
  return pages[found ?? ''] ?? []
}

const partsOf = (path: string) => path.split('/').filter((part) => part !== '')
