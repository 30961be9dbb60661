import type { Role } from './caller-kinds.js'

const owners = ['owner'] as const
const editors = ['owner', 'editor'] as const

/** What people do in the dashboard beside the resources of the API, and the roles that may. */
export const duties = {
  keys: owners,
  app_secrets: owners,
  team: owners,
  /** Ending the channel, and all its videos. */
  channel: owners,
  test_mail: owners,
  requests: editors,
  status: editors,
  sample: editors,
} as const satisfies Readonly<Record<string, readonly Role[]>>

export type Duty = keyof typeof duties
