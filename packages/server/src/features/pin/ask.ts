import { publishes } from '@zoetrope/contract'
import { type Bucket, giveBack } from '../../auth/attempts.js'
import { deviceStatusOf } from '../../auth/device-status.js'
import { type Device, deviceColumns } from '../../auth/devices.js'
import { bucketFrom, takeOrRefuse } from '../../auth/limits.js'
import { acquirePin, lacksPin, renewPin } from '../../auth/pins.js'
import type { Call } from '../../resources/feature.js'
import type { CallOf } from '../call-of.js'
import { invalidPin, pinAnswer } from './record.js'

/** Returns the PIN of a device. */
export async function acquire({ parts, principal, scope, body, address }: CallOf<'pin', 'acquire'>) {
  const { linked_device_id, type } = body
  await limit(parts, principal, bucketFrom('pin_asked', address))
  const device = await acquirePin(parts.database, parts.sealer, {
    site_id: scope.site_id,
    app_id: principal.appId,
    linked_device_id,
    type: type ?? null,
    ip: address,
  })
  return pinAnswer(
    parts,
    device,
    await deviceStatusOf(parts.database.db, device, { app_id: principal.appId, ip: address }),
  )
}

/**
 * Returns whether a device is linked. Only requests for unknown devices are rate-limited. TVs call this at every start
 * and unlink with the PIN they show, so a device that may renew its PIN also gets a new one here.
 */
export async function status({ parts, principal, scope, body, address }: CallOf<'pin', 'status'>) {
  const { db } = parts.database
  const { linked_device_id } = body
  const bucket = bucketFrom('unknown_device', address)
  await limit(parts, principal, bucket)
  const [device] = await db<Device[]>`
    select ${deviceColumns(db)} from linked_devices
    where site_id = ${scope.site_id} and linked_device_id = ${linked_device_id}
      and (${principal.appId ?? null}::text is null or app_id = ${principal.appId ?? null} or app_id is null)
    order by app_id is null, updated_at desc limit 1
  `
  if (!device) throw invalidPin()
  if (!publishes(principal.kind)) await giveBack(db, parts.sealer, [bucket])
  const asker = { app_id: principal.appId, ip: address }
  const status = await deviceStatusOf(db, device, asker)
  const renews = status.mayRenew && lacksPin(device)
  const shown = renews ? await renewPin(parts.database, parts.sealer, device, asker) : device
  return pinAnswer(parts, shown ?? device, status)
}

/** Limits the rate, except for publishers: their servers make requests for many viewers from one address. */
export async function limit(
  parts: Call['parts'],
  { kind }: Call['principal'],
  ...buckets: readonly Bucket[]
): Promise<void> {
  if (!publishes(kind)) await takeOrRefuse(parts, ...buckets)
}
