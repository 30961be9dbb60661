import type { Role } from './caller-kinds.js'

const owners = ['owner'] as const
const editors = ['owner', 'editor'] as const

/** What people can do in the dashboard besides using the API's resources, and the roles that may do it. */
export const duties = {
  keys: owners,
  app_secrets: owners,
  team: owners,
  /** Deleting the channel, or all its videos. */
  channel: owners,
  test_mail: owners,
  requests: editors,
  status: editors,
  sample: editors,
} as const satisfies Readonly<Record<string, readonly Role[]>>

export type Duty = keyof typeof duties
