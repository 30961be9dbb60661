import { randomBytes } from 'node:crypto'
import { bucketFrom, takeOrRefuse } from '../auth/limits.js'
import { acquirePin, pinOf, pinSeconds } from '../auth/pins.js'
import { settled, type TokenStep } from './steps.js'

const pollSeconds = 5

/** RFC 8628 §3.1: a device without a keyboard requests a code to show and a code to poll with. */
export const authorizeDevice: TokenStep = async ({ parts, request, client, scope }) => {
  const { database, sealer, loginUrl } = parts
  const { site_id, app_id } = settled(client)
  await takeOrRefuse(parts, bucketFrom('pin_asked', request.ip))
  const device_code = randomBytes(32).toString('hex')
  const device = await acquirePin(database, sealer, {
    site_id,
    app_id,
    linked_device_id: `device-grant-${randomBytes(16).toString('hex')}`,
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
