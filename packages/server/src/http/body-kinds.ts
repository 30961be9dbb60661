import type { IncomingMessage } from 'node:http'

const multipart = /^multipart\/form-data\b/i
const fields =
  /^(application\/([\w.+-]+\+)?json|application\/x-www-form-urlencoded|(text|application)\/xml)\b/i

/** Lets a route be for bodies that may bring a file: they are taken as they come, and not read before. */
export const bodyKinds = {
  name: 'body',
  storage<Handler>() {
    const handlers = new Map<string, Handler>()
    return {
      get: (kind: string) => handlers.get(kind) ?? null,
      set: (kind: string, handler: Handler) => void handlers.set(kind, handler),
    }
  },
  deriveConstraint({ method, headers }: IncomingMessage): 'multipart' | 'bytes' | 'fields' {
    const type = headers['content-type']
    if ((method !== 'POST' && method !== 'PUT') || type === undefined || fields.test(type)) return 'fields'
    return multipart.test(type) ? 'multipart' : 'bytes'
  },
}
