import { type DeviceStatus, trusted } from '../../auth/device-status.js'
import type { Device } from '../../auth/devices.js'
import { pinOf } from '../../auth/pins.js'
import type { Db } from '../../db/database.js'
import { ApiError } from '../../errors.js'
import type { Answer, Parts } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'

/** The error for an unknown device id or PIN. Apps compare this text. */
export const invalidPin = () => new ApiError(404, 'Invalid Device Pin.')

/**
 * Returns a device as the PIN calls show it. It appears unlinked if the caller is not the linked device, or if the
 * device must be linked again.
 */
export async function pinAnswer(
  { database, sealer }: Parts,
  device: Device,
  { isItself, mayRenew, hasAsked }: DeviceStatus = trusted,
): Promise<Answer> {
  const { _id, site_id, linked_device_id, type, pin_nonce, pin_expiration, pin_needs_link } = device
  const waits = device.alive && pin_needs_link && hasAsked && !mayRenew
  const consumer_id = isItself && !waits ? device.consumer_id : null
  const alive = device.alive && (waits || (isItself && !pin_needs_link))
  return answer(
    JSON.stringify({
      _id,
      site_id,
      created_at: device.created_at,
      updated_at: device.updated_at,
      linked_device_id,
      pin: alive && pin_nonce ? pinOf(sealer, pin_nonce) : null,
      pin_expiration: alive ? pin_expiration : null,
      linked: consumer_id !== null,
      consumer_id,
      subscription_count: consumer_id ? await subscriptions(database.db, site_id, consumer_id) : 0,
      device_id: null,
      type,
      deleted_at: null,
    }),
  )
}

async function subscriptions(db: Db, site_id: string, consumer_id: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int from living_subscriptions(${site_id}, ${consumer_id})
  `
  return row?.count ?? 0
}
