import { randomBytes } from 'node:crypto'
import type { Database, Db } from '../db/database.js'
import { invalid } from '../errors.js'
import { type Sealer, sameDigest } from '../lib/sealing.js'
import { deviceStatusOf } from './device-status.js'
import { type Device, deviceColumns, findOrMakeDevice, type PinRequest, unlinked } from './devices.js'
import { holdConsumer, holdOwners } from './hold-owners.js'

/** Letters and digits that look different from each other on a TV. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const pinLength = 7
export const pinSeconds = 900
/** A PIN that was just linked stays valid at least this long, so that the device can sign in with it. */
const graceSeconds = 300
const mostTries = 5

/** Derives the PIN from a nonce, so it can be shown again without being stored. */
export function pinOf(sealer: Sealer, nonce: Uint8Array): string {
  let number = BigInt(`0x${sealer.derive('pin', Buffer.from(nonce).toString('hex'))}`)
  let pin = ''
  for (let place = 0; place < pinLength; place += 1) {
    pin += alphabet[Number(number % BigInt(alphabet.length))]
    number /= BigInt(alphabet.length)
  }
  return pin
}

/** Normalises a typed PIN: case, spaces and hyphens do not matter. */
export const plainPin = (typed: string): string => typed.toLowerCase().replace(/[\s-]+/g, '')

export const pinDigest = (sealer: Sealer, typed: string): Buffer => sealer.digest(`pin ${plainPin(typed)}`)

/**
 * Returns the device with its current PIN, or with a new one if that expired. A linked device may sign in
 * with it again if its app allows that. Anyone else who knows its id gets a PIN that must be linked first.
 */
export async function acquirePin(database: Database, sealer: Sealer, asking: PinRequest): Promise<Device> {
  return database.transaction(async (tx) => {
    const device = await findOrMakeDevice(tx, asking)
    if (device.device_scope !== null && !asking.deviceCode) throw ofDeviceGrant()
    const { isItself, mayRenew, hasAsked } = await deviceStatusOf(tx, device, asking)
    const isGood = device.pin_needs_link ? !mayRenew && hasAsked : isItself
    if (device.alive && isGood) return device
    return newPin(tx, sealer, device, { needsLink: !mayRenew, ip: asking.ip })
  })
}

/** Returns the linked device with a valid PIN if it may have one; otherwise the device unchanged. */
export async function renewPin(
  database: Database,
  sealer: Sealer,
  { site_id, _id }: Device,
  asker: Pick<PinRequest, 'app_id' | 'ip'>,
): Promise<Device | undefined> {
  return database.transaction(async (tx) => {
    const [device] = await tx<Device[]>`
      select ${deviceColumns(tx)} from linked_devices where site_id = ${site_id} and _id = ${_id} for update
    `
    if (!device || !lacksPin(device) || !(await deviceStatusOf(tx, device, asker)).mayRenew) return device
    return newPin(tx, sealer, device, { needsLink: false, ip: asker.ip })
  })
}

/** Whether a linked device has no PIN to sign in with. Devices that used the device grant never have one. */
export const lacksPin = ({ consumer_id, device_scope, alive, pin_needs_link }: Device): boolean =>
  consumer_id !== null && device_scope === null && (!alive || pin_needs_link)

const ofDeviceGrant = () =>
  invalid('This device signed in by the device grant; it has no PIN of its own.', {
    linked_device_id: ['belongs to a device that signed in by the device grant'],
  })

/** Gives a device a PIN that is and was no other device's: PINs are short enough to collide by chance. */
async function newPin(
  tx: Db,
  sealer: Sealer,
  { site_id, _id }: Device,
  { needsLink, ip }: { readonly needsLink: boolean; readonly ip: string },
): Promise<Device> {
  for (;;) {
    const nonce = randomBytes(16)
    const digest = pinDigest(sealer, pinOf(sealer, nonce))
    const [renewed] = await tx<Device[]>`
      update linked_devices set pin_nonce = ${nonce}, pin_digest = ${digest},
        pin_expiration = now() + make_interval(secs => ${pinSeconds}), pin_tries = 0,
        pin_needs_link = ${needsLink}, asked_from = ${ip}, denied = false
      where site_id = ${site_id} and _id = ${_id}
        and not exists (select from linked_devices where pin_digest = ${digest})
      returning ${deviceColumns(tx)}
    `
    if (renewed) return renewed
  }
}

/** The device waiting to be linked with this PIN, in any channel. */
export async function findWaiting(db: Db, sealer: Sealer, typed: string): Promise<Device | undefined> {
  const [device] = await db<Device[]>`
    select ${deviceColumns(db)} from linked_devices
    where pin_digest = ${pinDigest(sealer, typed)} and pin_expiration > now() and not denied
      and (consumer_id is null or pin_needs_link)
  `
  return device
}

/** A consumer linking a device by its PIN. */
export interface DeviceLink {
  readonly site_id: string
  readonly consumer_id: string
  readonly pin: string
}

/** Links the device with this PIN. Of two parallel attempts one succeeds; repeating it changes nothing. */
export async function linkDevice(
  tx: Db,
  sealer: Sealer,
  { site_id, consumer_id, pin }: DeviceLink,
): Promise<Device | undefined> {
  if (!(await holdConsumer(tx, site_id, tx`select ${consumer_id}`))) return undefined
  const [device] = await tx<Device[]>`
    update linked_devices set consumer_id = ${consumer_id}, linked_from = null, updated_at = now(),
      linked_at = case when consumer_id is null or pin_needs_link then now() else linked_at end, pin_needs_link = false,
      pin_expiration = greatest(pin_expiration, now() + make_interval(secs => ${graceSeconds}))
    where pin_digest = ${pinDigest(sealer, pin)} and site_id = ${site_id} and pin_expiration > now() and not denied
      and (consumer_id is null or pin_needs_link or consumer_id = ${consumer_id})
    returning ${deviceColumns(tx)}
  `
  if (device)
    await tx`
      delete from sessions
      where site_id = ${site_id} and device_id = ${device._id} and consumer_id <> ${consumer_id}
    `
  return device
}

/** Unlinks a device by its last PIN, expired or not, and ends its sessions. */
export async function unlinkDevice(
  tx: Db,
  sealer: Sealer,
  { site_id, consumer_id, pin }: DeviceLink,
): Promise<Device | undefined> {
  await holdConsumer(tx, site_id, tx`select ${consumer_id}`)
  const [device] = await tx<Device[]>`
    update linked_devices set ${unlinked(tx)}
    where pin_digest = ${pinDigest(sealer, pin)} and site_id = ${site_id} and consumer_id = ${consumer_id}
    returning ${deviceColumns(tx)}
  `
  if (device) await tx`delete from sessions where site_id = ${site_id} and device_id = ${device._id}`
  return device
}

/** A device signing in with its PIN. */
export interface PinRedemption {
  readonly site_id: string
  readonly app_id: string
  readonly linked_device_id: string
  readonly pin: string
  readonly ip: string
}

/**
 * Uses up the PIN of a linked device. The fifth wrong PIN in a row invalidates it, so commit the transaction
 * in every case.
 */
export async function redeemPin(
  tx: Db,
  sealer: Sealer,
  { site_id, app_id, linked_device_id, pin, ip }: PinRedemption,
): Promise<{ readonly _id: string; readonly consumer_id: string } | undefined> {
  const named = tx`
    from linked_devices
    where site_id = ${site_id} and linked_device_id = ${linked_device_id}
      and (app_id = ${app_id} or app_id is null) and device_scope is null
    order by app_id nulls last limit 1
  `
  await holdOwners(tx, { site_id, app_id }, tx`select consumer_id ${named}`)
  const [device] = await tx<
    { _id: string; consumer_id: string | null; digest: Buffer | null; alive: boolean }[]
  >`
    select _id, consumer_id, pin_digest as digest,
      coalesce(pin_expiration > now() and pin_tries < ${mostTries} and not pin_needs_link, false) as alive
    ${named} for update
  `
  const digest = pinDigest(sealer, pin)
  if (!device?.alive || !device.digest) return undefined
  if (!sameDigest(device.digest, digest)) {
    await tx`
      update linked_devices set pin_tries = pin_tries + 1,
        pin_expiration = case when pin_tries + 1 >= ${mostTries} then null else pin_expiration end
      where site_id = ${site_id} and _id = ${device._id}
    `
    return undefined
  }
  if (!device.consumer_id) return undefined
  // Not now(): a transaction that began earlier and waits for this one would see a time in its future.
  await tx`
    update linked_devices set pin_expiration = null, pin_tries = 0, linked_from = ${ip}
    where site_id = ${site_id} and _id = ${device._id}
  `
  return { _id: device._id, consumer_id: device.consumer_id }
}
