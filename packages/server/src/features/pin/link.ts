import { catalog, publishes } from '@zoetrope/contract'
import { giveBack } from '../../auth/attempts.js'
import type { Device } from '../../auth/devices.js'
import { bucketFrom, bucketOf } from '../../auth/limits.js'
import { type DeviceLink, linkDevice, unlinkDevice } from '../../auth/pins.js'
import type { Db } from '../../db/database.js'
import { invalidParameter, notFound } from '../../errors.js'
import { mailConsumer } from '../../jobs/mail-consumer.job.js'
import type { Sealer } from '../../lib/sealing.js'
import { enqueue } from '../../queue/enqueue.js'
import type { Call } from '../../resources/feature.js'
import { belongs } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { limit } from './ask.js'
import { invalidPin, pinAnswer } from './record.js'

export const link = (call: CallOf<'pin', 'link'>) => changeLink(call, linkForConsumer)

/** Links a device and notifies its consumer by mail, in the caller's transaction. */
export async function linkForConsumer(
  tx: Db,
  sealer: Sealer,
  wanted: DeviceLink,
): Promise<Device | undefined> {
  const device = await linkDevice(tx, sealer, wanted)
  if (!device) return undefined
  // Only the first link sends mail, so that repeated requests cannot flood a mailbox.
  const [told] = await tx<{ email: string; app_title: string | null }[]>`
    select email, title as app_title
    from linked_devices as device
    join consumers on consumers.site_id = device.site_id and consumers._id = device.consumer_id
    left join apps on apps.site_id = device.site_id and apps._id = device.app_id
    where device.site_id = ${wanted.site_id} and device._id = ${device._id}
      and device.linked_at = device.updated_at
  `
  if (told)
    await enqueue(tx, mailConsumer, {
      site_id: wanted.site_id,
      consumer_id: wanted.consumer_id,
      email: told.email,
      purpose: 'device_linked',
      ...(told.app_title ? { app_title: told.app_title } : {}),
    })
  return device
}

export async function unlink(call: CallOf<'pin', 'unlink'>) {
  const answer = await changeLink(call, unlinkDevice)
  const whose = call.body.consumer_id ?? call.principal.consumerId
  call.parts.principals.forget(({ consumerId }) => consumerId === whose)
  return answer
}

/** Finds the device by its PIN, and links or unlinks it. A wrong PIN counts as a guess. */
async function changeLink(call: CallOf<'pin', 'link'>, change: typeof linkForConsumer) {
  const { parts, principal, scope, body } = call
  const consumer_id = await consumerOf(call)
  const buckets = guesses(call, consumer_id)
  await limit(parts, principal, ...buckets)
  const wanted = { site_id: scope.site_id, consumer_id, pin: body.pin }
  const device = await parts.database.transaction((tx) => change(tx, parts.sealer, wanted))
  if (!device) throw invalidPin()
  if (!publishes(principal.kind)) await giveBack(parts.database.db, parts.sealer, buckets)
  return pinAnswer(parts, device)
}

/** Returns the consumer named in the body or, by default, the token's own. A token cannot name another consumer. */
export async function consumerOf(
  call: Pick<Call<{ readonly consumer_id?: string | null }>, 'parts' | 'principal' | 'scope' | 'body'>,
): Promise<string> {
  const { parts, principal, scope, body } = call
  const given = body.consumer_id ?? principal.consumerId
  if (!given) throw invalidParameter('consumer_id', 'is required')
  if (principal.consumerId && given !== principal.consumerId) throw notFound('consumer')
  if (!(await belongs(parts.database.db, catalog.consumers, scope, given))) throw notFound('consumer')
  return given
}

const guesses = ({ address }: Pick<Call, 'address'>, consumer_id: string) => [
  bucketOf('pin_by_consumer', consumer_id),
  bucketFrom('pin_from_address', address),
]
