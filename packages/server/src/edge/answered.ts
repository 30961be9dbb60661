import type { FastifyInstance, FastifyRequest } from 'fastify'

/** A request that has been answered, for logs and metrics. */
export interface AnsweredRequest {
  readonly request: FastifyRequest
  /** Without the query string, and without credentials. */
  readonly path: string
  readonly status: number
  readonly ms: number
}

export type TellAnswered = (answered: AnsweredRequest) => void

/**
 * Tells all listeners of each answered request. Its path and its time are computed once for all of them. The hook uses a
 * callback because another promise per request would be measurable.
 */
export function whenAnswered(
  app: FastifyInstance,
  shownPath: (path: string) => string,
  listeners: readonly TellAnswered[],
): void {
  app.addHook('onResponse', (request, { statusCode, elapsedTime }, done) => {
    const { url } = request
    const end = url.indexOf('?')
    const path = shownPath(end < 0 ? url : url.slice(0, end))
    const answered = { request, path, status: statusCode, ms: elapsedTime }
    for (const tell of listeners) tell(answered)
    done()
  })
}
