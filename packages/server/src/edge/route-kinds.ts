import type { IncomingMessage } from 'node:http'

/** Lets a path have several routes, each for one kind of request. */
export const routeKinds = <Kind extends string>(
  name: string,
  deriveConstraint: (request: IncomingMessage) => Kind,
) => ({
  name,
  deriveConstraint,
  storage<Handler>() {
    const handlers = new Map<string, Handler>()
    return {
      get: (kind: string) => handlers.get(kind) ?? null,
      set: (kind: string, handler: Handler) => void handlers.set(kind, handler),
    }
  },
})

/** By what the client accepts: a stream of events, or records. */
export const acceptedKinds = routeKinds('accept', ({ headers }) =>
  headers.accept?.includes('text/event-stream') ? 'events' : 'records',
)

const multipart = /^multipart\/form-data\b/i
const fields =
  /^(application\/([\w.+-]+\+)?json|application\/x-www-form-urlencoded|(text|application)\/xml)\b/i

/** By the body. One that may bring a file is taken as it comes, and not read before. */
export const bodyKinds = routeKinds('body', ({ method, headers }) => {
  const type = headers['content-type']
  if ((method !== 'POST' && method !== 'PUT') || type === undefined || fields.test(type)) return 'fields'
  return multipart.test(type) ? 'multipart' : 'bytes'
})
