import { randomBytes } from 'node:crypto'
import { takeAttempt } from '../auth/attempts.js'
import { acquirePin, pinOf, pinSeconds } from '../auth/pins.js'
import { tooMany } from '../errors.js'
import { addressKey } from '../lib/client-address.js'
import { type Step, settled } from './steps.js'

const pollSeconds = 5

/** RFC 8628 §3.1: a device without a keyboard asks for a code to show and a code to poll with. */
export const authorizeDevice: Step = async ({ parts, request, client, scope }) => {
  const { database, sealer, loginUrl } = parts
  const { site_id, app_id, title } = settled(client)
  const bucket = { key: `pin asked from ${addressKey(request.ip)}`, most: 600, seconds: 600 }
  const seconds = await takeAttempt(database.db, sealer, [bucket])
  if (seconds > 0) throw tooMany(seconds)
  const device_code = randomBytes(32).toString('hex')
  const device = await acquirePin(database, sealer, {
    site_id,
    app_id,
    linked_device_id: `device-grant-${randomBytes(16).toString('hex')}`,
    type: title.slice(0, 100),
    ip: request.ip,
    deviceCode: { digest: sealer.digest(device_code), scope: settled(scope) },
  })
  const user_code = pinOf(sealer, settled(device.pin_nonce ?? undefined))
  return {
    answer: {
      device_code,
      user_code,
      verification_uri: `${loginUrl}/link`,
      verification_uri_complete: `${loginUrl}/link?pin=${user_code}`,
      expires_in: pinSeconds,
      interval: pollSeconds,
    },
  }
}
