import { type Bucket, giveBack, takeAttempt } from '../../auth/attempts.js'
import { acquirePin, type Device, deviceColumns, mayRenew } from '../../auth/pins.js'
import type { Db } from '../../db/database.js'
import { tooMany } from '../../errors.js'
import { addressKey } from '../../lib/client-address.js'
import type { Call } from '../../resources/feature.js'
import { invalidPin, pinAnswer } from './record.js'

/** A device asks for its PIN. */
export async function acquire({ parts, principal, scope, body, address }: Call) {
  const { linked_device_id, type } = body as { linked_device_id: string; type?: string | null }
  await limit(parts, principal, { key: `pin asked from ${addressKey(address)}`, most: 600, seconds: 600 })
  const device = await acquirePin(parts.database, parts.sealer, {
    site_id: scope.site_id,
    app_id: principal.appId,
    linked_device_id,
    type: type ?? null,
    ip: address,
  })
  return pinAnswer(parts, device, await isItself(parts.database.db, device, principal, address))
}

/** A device asks whether it is linked by now. Only asking for devices that nobody knows is limited. */
export async function status({ parts, principal, scope, body, address }: Call) {
  const { db } = parts.database
  const { linked_device_id } = body as { linked_device_id: string }
  const bucket = { key: `unknown device from ${addressKey(address)}`, most: 100, seconds: 900 }
  await limit(parts, principal, bucket)
  const [device] = await db<Device[]>`
    select ${deviceColumns(db)} from linked_devices
    where site_id = ${scope.site_id} and linked_device_id = ${linked_device_id}
      and (${principal.appId ?? null}::text is null or app_id = ${principal.appId ?? null} or app_id is null)
    order by app_id is null, updated_at desc limit 1
  `
  if (!device) throw invalidPin()
  if (principal.kind !== 'admin') await giveBack(db, parts.sealer, [bucket])
  return pinAnswer(parts, device, await isItself(db, device, principal, address))
}

const isItself = async (db: Db, device: Device, { appId }: Call['principal'], ip: string) =>
  device.consumer_id === null || mayRenew(db, device, { app_id: appId, ip })

/** The admin key stands for a publisher's server, which asks for many viewers from one address. */
export async function limit(
  { database, sealer }: Call['parts'],
  { kind }: Call['principal'],
  ...buckets: readonly Bucket[]
): Promise<void> {
  if (kind === 'admin') return
  const seconds = await takeAttempt(database.db, sealer, buckets)
  if (seconds > 0) throw tooMany(seconds)
}
