import { authorizationCodeGrant } from './authorization-code.js'
import { deviceCodeGrant } from './device-code.js'
import type { Grant } from './grant.js'
import { passwordGrant } from './password.js'
import { refreshTokenGrant } from './refresh-token.js'

/** All supported grants. */
export const grants: readonly Grant[] = [
  passwordGrant,
  refreshTokenGrant,
  authorizationCodeGrant,
  deviceCodeGrant,
]
