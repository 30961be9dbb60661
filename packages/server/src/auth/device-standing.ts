import type { Db } from '../db/database.js'
import { addressKey } from '../lib/client-address.js'
import type { Device } from './devices.js'

/** What can be told about somebody who asks in a device's name, knowing its id. */
export interface Standing {
  /** It is the device, as far as can be told. */
  readonly isItself: boolean
  /** It may sign in with a new PIN without its viewer. */
  readonly mayRenew: boolean
  /** It asked for the PIN that there is. */
  readonly hasAsked: boolean
}

/** A device that nobody has linked has nothing to lose. */
export const trusted: Standing = { isItself: true, mayRenew: true, hasAsked: true }

interface Asker {
  /** None when a publisher's own server asks. */
  readonly app_id: string | undefined
  readonly ip: string
}

/**
 * A linked device is known again by the network it has signed in from. Until it has done so for the first time, whoever
 * knows its id is taken for it: the PIN was given to them all. Its app decides what being known again is good for.
 */
export async function standingOf(db: Db, device: Device, { app_id, ip }: Asker): Promise<Standing> {
  if (device.consumer_id === null || app_id === undefined) return trusted
  const here = addressKey(ip)
  const [app] = await db<{ device_renewal: string }[]>`
    select device_renewal from apps where site_id = ${device.site_id} and _id = ${device.app_id}
  `
  const sessions = await db<{ ip: string | null }[]>`
    select ip from sessions where site_id = ${device.site_id} and device_id = ${device._id}
  `
  const seen = [device.linked_from, ...sessions.map((session) => session.ip)]
  const isNear = seen.some((address) => address !== null && addressKey(address) === here)
  const isFirst = device.alive && !device.pin_needs_link && device.linked_from === null
  const anywhere = app?.device_renewal === 'always'
  return {
    isItself: isNear || isFirst || anywhere,
    mayRenew: anywhere || (isNear && app?.device_renewal === 'same_network'),
    hasAsked: device.asked_from !== null && addressKey(device.asked_from) === here,
  }
}
