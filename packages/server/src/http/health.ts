import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/database.js'

/** /healthz: the process runs. /readyz: it can also reach its database, so requests may be sent here. */
export function addHealth(app: FastifyInstance, db: Db): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    try {
      await db`select 1`
      return { status: 'ready' }
    } catch (error) {
      request.log.warn({ err: error, request_id: request.id }, 'Not ready: the database cannot be reached')
      return reply.status(503).header('retry-after', '1').send({
        status: 'not ready',
        message: 'The database cannot be reached for the moment.',
        code: 'unavailable',
        request_id: request.id,
      })
    }
  })
}
