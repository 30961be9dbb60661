import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/database.js'

const patience = 3000

/**
 * /healthz: the process runs. /readyz: it can also reach its database, so requests may be sent here; with it comes what the
 * operator should know, if anything.
 */
export function addHealth(
  app: FastifyInstance,
  database: Pick<Database, 'ping'>,
  troubles: () => readonly string[],
): void {
  const warnings = () => {
    const sentences = troubles()
    return sentences.length === 0 ? {} : { warnings: sentences }
  }
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    try {
      await Promise.race([database.ping(), overdue()])
      return { status: 'ready', ...warnings() }
    } catch (error) {
      request.log.warn({ err: error, request_id: request.id }, 'Not ready: the database cannot be reached')
      return reply
        .status(503)
        .header('retry-after', '1')
        .send({
          status: 'not ready',
          message: 'The database cannot be reached for the moment.',
          code: 'unavailable',
          request_id: request.id,
          ...warnings(),
        })
    }
  })
}

/** A frozen database does not respond at all; the health check must still fail in time. */
async function overdue(): Promise<never> {
  await delay(patience, undefined, { ref: false })
  throw new Error(`The database has not answered within ${patience} ms`)
}
