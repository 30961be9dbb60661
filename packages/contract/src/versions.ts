/**
 * The versions of the API, the oldest first. A new one is added only if programs that exist would break otherwise. Answers
 * that are kept in memory or stored for an Idempotency-Key must then differ by version.
 */
export const apiVersions = ['2026-11-20'] as const

export type ApiVersion = (typeof apiVersions)[number]

/** The version of requests that name none. */
export const newestVersion: ApiVersion = '2026-11-20'
