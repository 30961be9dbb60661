import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { takeBody } from '../edge/take-body.js'
import { ApiError, forbidden, notPossible, tooMany } from '../errors.js'
import { addressKey } from '../lib/client-address.js'
import { createRateLimit } from '../lib/rate-limit.js'
import { claimsOf } from './caller.js'
import { openPlayReports, readReport } from './play-reports.js'
import { inPath, type Playback, uncached } from './playback.js'
import { watchedOn } from './watched-on.js'

/** A report is about a hundred bytes. */
const mostBytes = 1024
/** Per network address, which a whole school may share; a viewer sends two. */
const mostPerMinute = 600

/**
 * Receives reports of how much was watched. The signed address was made for someone who may watch, so nothing
 * is looked up: reports are validated and written in batches.
 */
export function addPlays(app: FastifyInstance, { parts }: Playback): void {
  const reports = openPlayReports(parts.database, (error) =>
    app.log.error({ err: error }, 'Plays are counted later.'),
  )
  app.addHook('onClose', () => reports.close())
  const take = createRateLimit(mostPerMinute, 60_000)

  function receive(request: FastifyRequest): void {
    const { site_id, video_id, source_id } = claimsOf(parts, inPath(request, 'token'))
    // Addresses of films are published in feeds and outlive the retention of reports.
    if (source_id !== '')
      throw forbidden('This address takes no reports. GET /embed/{id} has the one that does.')
    const wait = take(addressKey(request.ip))
    if (wait > 0) throw tooMany(Math.ceil(wait / 1000))
    const report = readReport(request.body)
    const device = report.device ?? watchedOn(request.headers['user-agent'])
    if (!reports.add({ site_id, video_id }, { ...report, device }))
      throw new ApiError(503, 'Too many reports wait to be written.', { headers: { 'Retry-After': '10' } })
  }

  app.register(async (scope) => {
    // Pages may send text/plain across origins without a preflight request, so players do.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) =>
      (await takeBody(request, payload, { most: mostBytes })).toString(),
    )
    scope.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'],
      url: '/playback/:token/plays',
      async handler(request, reply) {
        if (request.method !== 'POST') throw notPossible(request.method, 'POST')
        receive(request)
        return reply.status(204).headers(uncached).send()
      },
    })
  })
}
