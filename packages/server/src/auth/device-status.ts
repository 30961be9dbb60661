import type { Db } from '../db/database.js'
import { addressKey } from '../lib/client-address.js'
import type { Device } from './devices.js'

/** What a request in a device's name may do, given only the device's id. */
export interface DeviceStatus {
  /** The request probably comes from the device itself. */
  readonly isItself: boolean
  /** The device may sign in with a new PIN without its viewer. */
  readonly mayRenew: boolean
  /** The request comes from where the current PIN was requested. */
  readonly hasAsked: boolean
}

/** A device that is not linked has nothing to protect. */
export const trusted: DeviceStatus = { isItself: true, mayRenew: true, hasAsked: true }

interface Asker {
  /** Undefined if the request comes from a publisher's own server. */
  readonly app_id: string | undefined
  readonly ip: string
}

/**
 * A linked device is recognised by the network it last signed in from. Until its first sign-in, anyone who
 * knows its id passes for it, because they could all read the PIN. Its app decides what recognition allows.
 */
export async function deviceStatusOf(db: Db, device: Device, { app_id, ip }: Asker): Promise<DeviceStatus> {
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
