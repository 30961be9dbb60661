import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, forbidden, tooMany } from '../errors.js'
import { takeBody } from '../http/take-body.js'
import { addressKey } from '../lib/client-address.js'
import { createRateLimit } from '../lib/rate-limit.js'
import { claimsOf } from './caller.js'
import { openPlayReports, readReport } from './play-reports.js'
import { inPath, type Playback, uncached } from './playback.js'
import { watchedOn } from './watched-on.js'

/** A report has a hundred bytes. */
const mostBytes = 1024
/** From one network address, which a whole school may have; a viewer sends two. */
const mostPerMinute = 600

/**
 * Where players tell how much of a film is watched. The address was made for somebody who may watch it. Nothing is looked
 * up: a report is read, and written with others later.
 */
export function addPlays(app: FastifyInstance, { parts }: Playback): void {
  const reports = openPlayReports(parts.database, (error) =>
    app.log.error({ err: error }, 'Plays are counted later.'),
  )
  app.addHook('onClose', () => reports.close())
  const take = createRateLimit(mostPerMinute, 60_000)

  function receive(request: FastifyRequest): void {
    const { site_id, video_id, source_id } = claimsOf(parts, inPath(request, 'token'))
    // Those of films are handed on in feeds, and are good for longer than reports are kept.
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
    // Pages may send plain text to other sites without asking them first, so that is what players send.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) =>
      (await takeBody(request, payload, { most: mostBytes })).toString(),
    )
    scope.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'],
      url: '/playback/:token/plays',
      async handler(request, reply) {
        if (request.method !== 'POST')
          throw new ApiError(405, `${request.method} is not possible here. Possible: POST.`, {
            headers: { allow: 'POST' },
          })
        receive(request)
        return reply.status(204).headers(uncached).send()
      },
    })
  })
}
