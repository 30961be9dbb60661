import { authorizationCodeGrant } from './authorization-code.js'
import { deviceCodeGrant } from './device-code.js'
import type { Grant } from './grant.js'
import { passwordGrant } from './password.js'
import { refreshTokenGrant } from './refresh-token.js'

/** Every way to get tokens. */
export const grants: readonly Grant[] = [
  passwordGrant,
  refreshTokenGrant,
  authorizationCodeGrant,
  deviceCodeGrant,
]
