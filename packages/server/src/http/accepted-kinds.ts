import type { IncomingMessage } from 'node:http'

/** Lets a path have a route of its own for clients that ask for a stream of events. */
export const acceptedKinds = {
  name: 'accept',
  storage<Handler>() {
    const handlers = new Map<string, Handler>()
    return {
      get: (kind: string) => handlers.get(kind) ?? null,
      set: (kind: string, handler: Handler) => void handlers.set(kind, handler),
    }
  },
  deriveConstraint({ headers }: IncomingMessage): 'events' | 'records' {
    return headers.accept?.includes('text/event-stream') ? 'events' : 'records'
  },
}
