import type { Operation, Resource } from './resource.js'

/** The kinds of credential, from the most powerful down. */
export const callerKinds = {
  admin: { parameter: 'api_key', about: 'Admin key: everything in its channel. Never put it into an app.' },
  read_only: {
    parameter: 'api_key',
    about: 'Read-only key: reads the published catalogue and makes player requests; changes nothing.',
  },
  player: { parameter: 'api_key', about: 'Player key: player requests only.' },
  app: {
    parameter: 'app_key',
    about: 'App key: reads the published catalogue, makes player requests, and signs viewers up.',
  },
  consumer: {
    parameter: 'access_token',
    about: "Access token: what the app key reads, as one consumer, and that consumer's own data.",
  },
} as const

export type CallerKind = keyof typeof callerKinds
export type Access = Partial<Readonly<Record<Exclude<CallerKind, 'admin'>, true>>>

const reads: readonly Operation[] = ['list', 'get']

/** May a caller of this kind do this? Denied unless the definition says otherwise. */
export function allows(kind: CallerKind, resource: Resource, operation: string): boolean {
  if (kind === 'admin') return true
  const action = Object.hasOwn(resource.actions, operation) ? resource.actions[operation] : undefined
  if (action) return action.access[kind] === true
  return resource.access[kind] === 'read' && (reads as readonly string[]).includes(operation)
}

export function kindsAllowed(resource: Resource, operation: string): CallerKind[] {
  return (Object.keys(callerKinds) as CallerKind[]).filter((kind) => allows(kind, resource, operation))
}
