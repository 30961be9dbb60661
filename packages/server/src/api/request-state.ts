import type { FastifyInstance } from 'fastify'
import type { Principal } from '../auth/principals.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who called, once that is known. */
    caller: Principal | undefined
    /** It has an Idempotency-Key that counts: repeated, it is not done twice. */
    isDoneOnce: boolean
    /** The key under which its answer is kept, once it has been made; read it with `keyOf`. */
    answerKey: string | undefined
  }
}

/**
 * Declares what is remembered of each request while it is handled. Properties declared here exist from the beginning, so all
 * request objects have the same shape, which keeps access to them fast.
 */
export function addRequestState(app: FastifyInstance): void {
  app.decorateRequest('caller', undefined)
  app.decorateRequest('isDoneOnce', false)
  app.decorateRequest('answerKey', undefined)
  app.decorateRequest('format', undefined)
  app.decorateRequest('queryTree', undefined)
  app.decorateRequest('ignored', undefined)
  app.decorateReply('notices', undefined)
}
