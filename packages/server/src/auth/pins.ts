import { randomBytes } from 'node:crypto'
import type { Database, Db } from '../db/database.js'
import { addressKey } from '../lib/client-address.js'
import { newId } from '../lib/object-id.js'
import { type Sealer, sameDigest } from '../lib/sealing.js'
import { holdConsumer, holdOwners } from './hold-owners.js'

/** Letters and digits that cannot be mistaken for each other on a TV. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const pinLength = 7
export const pinSeconds = 900
/** A PIN that was just linked lives at least this long, so that the device can still sign in with it. */
const graceSeconds = 300
const mostTries = 5

/** The PIN that follows from a nonce: it can be shown again without being stored. */
export function pinOf(sealer: Sealer, nonce: Uint8Array): string {
  let number = BigInt(`0x${sealer.derive('pin', Buffer.from(nonce).toString('hex'))}`)
  let pin = ''
  for (let place = 0; place < pinLength; place += 1) {
    pin += alphabet[Number(number % BigInt(alphabet.length))]
    number /= BigInt(alphabet.length)
  }
  return pin
}

/** A PIN as it was meant: case, spaces and hyphens do not matter. */
export const plainPin = (typed: string): string => typed.toLowerCase().replace(/[\s-]+/g, '')

export const pinDigest = (sealer: Sealer, typed: string): Buffer => sealer.digest(`pin ${plainPin(typed)}`)

/** A device as the pin calls show it. */
export interface Device {
  readonly _id: string
  readonly site_id: string
  readonly app_id: string | null
  readonly consumer_id: string | null
  readonly linked_device_id: string
  readonly type: string | null
  readonly asked_from: string | null
  readonly pin_nonce: Uint8Array | null
  readonly pin_expiration: Date | null
  readonly alive: boolean
  /** The PIN was asked for by someone who may not be the device that is linked: it is worth nothing before it is linked anew. */
  readonly pin_needs_link: boolean
  readonly created_at: Date
  readonly updated_at: Date
}

export const deviceColumns = (db: Db) => db`
  _id, site_id, app_id, consumer_id, linked_device_id, type, asked_from, pin_nonce, pin_expiration,
  pin_needs_link,   coalesce(pin_expiration > now(), false) as alive, created_at, updated_at
`

/** A device that asks for a PIN. */
export interface Asking {
  readonly site_id: string
  /** None when a publisher's own server asks. */
  readonly app_id: string | undefined
  readonly linked_device_id: string
  readonly type?: string | null
  readonly ip: string
  /** For the device grant: the code the device polls with, as a digest, and the scope it asks for. */
  readonly deviceCode?: { readonly digest: Buffer; readonly scope: string }
}

/**
 * The device with a PIN: the one it has while that lives, otherwise a new one. A linked device may sign in again with it
 * where its app allows that; whoever else knows its id gets a PIN that has to be linked first, as for a new device.
 */
export async function acquirePin(database: Database, sealer: Sealer, asking: Asking): Promise<Device> {
  return database.transaction(async (tx) => {
    const { site_id, app_id, linked_device_id, type, ip, deviceCode } = asking
    const [device] = await tx<Device[]>`
      insert into linked_devices as device (
        _id, site_id, app_id, linked_device_id, type, asked_from, device_code_digest, device_scope
      )
      values (
        ${newId()}, ${site_id}, ${app_id ?? null}, ${linked_device_id}, ${type ?? null}, ${ip},
        ${deviceCode?.digest ?? null}, ${deviceCode?.scope ?? null}
      )
      on conflict (site_id, linked_device_id, app_id) do update set
        updated_at = now(), type = coalesce(excluded.type, device.type)
      returning ${deviceColumns(tx)}
    `
    if (!device) throw new Error('A device was neither made nor found')
    const needsLink = device.consumer_id !== null && !(await mayRenew(tx, device, asking))
    // A PIN that could be signed in with is neither shown to a stranger nor taken from the device.
    if (device.alive && (device.pin_needs_link === needsLink || needsLink)) return device
    return newPin(tx, sealer, device, { needsLink, ip })
  })
}

/** Whether this is, as far as can be told, the device that was linked: its app decides how sure that must be. */
export async function mayRenew(
  db: Db,
  { site_id, _id, app_id }: Device,
  asking: Pick<Asking, 'app_id' | 'ip'>,
): Promise<boolean> {
  if (asking.app_id === undefined) return true
  const [app] = await db<{ device_renewal: string }[]>`
    select device_renewal from apps where site_id = ${site_id} and _id = ${app_id}
  `
  if (app?.device_renewal !== 'same_network') return app?.device_renewal === 'always'
  const seen = await db<{ ip: string | null }[]>`
    select linked_from as ip from linked_devices where site_id = ${site_id} and _id = ${_id}
    union select ip from sessions where site_id = ${site_id} and device_id = ${_id}
  `
  const here = addressKey(asking.ip)
  return seen.some(({ ip }) => ip !== null && addressKey(ip) === here)
}

/** Gives a device a PIN that no other has, nor had last: there are few enough for two to meet by chance. */
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

/** The device that shows this PIN, waiting to be linked, in whichever channel. */
export async function findWaiting(db: Db, sealer: Sealer, typed: string): Promise<Device | undefined> {
  const [device] = await db<Device[]>`
    select ${deviceColumns(db)} from linked_devices
    where pin_digest = ${pinDigest(sealer, typed)} and pin_expiration > now() and not denied
      and (consumer_id is null or pin_needs_link)
  `
  return device
}

/** A consumer who links the device that shows a PIN. */
export interface Link {
  readonly site_id: string
  readonly consumer_id: string
  readonly pin: string
}

/** Links the device that shows this PIN. Of two who try at once, one does; asking again changes nothing. */
export async function linkDevice(
  tx: Db,
  sealer: Sealer,
  { site_id, consumer_id, pin }: Link,
): Promise<Device | undefined> {
  if (!(await holdConsumer(tx, site_id, tx`select ${consumer_id}`))) return undefined
  const [device] = await tx<Device[]>`
    update linked_devices set consumer_id = ${consumer_id}, linked_from = asked_from, updated_at = now(),
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

/** Undoes a link by the PIN the device had last, be it alive or not; what was signed in there ends. */
export async function unlinkDevice(
  tx: Db,
  sealer: Sealer,
  { site_id, consumer_id, pin }: Link,
): Promise<Device | undefined> {
  await holdConsumer(tx, site_id, tx`select ${consumer_id}`)
  const [device] = await tx<Device[]>`
    update linked_devices set consumer_id = null, linked_at = null, linked_from = null, pin_expiration = null,
      pin_needs_link = false, updated_at = now()
    where pin_digest = ${pinDigest(sealer, pin)} and site_id = ${site_id} and consumer_id = ${consumer_id}
    returning ${deviceColumns(tx)}
  `
  if (device) await tx`delete from sessions where site_id = ${site_id} and device_id = ${device._id}`
  return device
}

/** A device that wants to sign in with its PIN. */
export interface Redemption {
  readonly site_id: string
  readonly app_id: string
  readonly linked_device_id: string
  readonly pin: string
}

/** Uses up the PIN of a linked device; the fifth wrong one in a row ends the PIN. Commit whatever it answers. */
export async function redeemPin(
  tx: Db,
  sealer: Sealer,
  { site_id, app_id, linked_device_id, pin }: Redemption,
): Promise<{ readonly _id: string; readonly consumer_id: string } | undefined> {
  const named = tx`
    from linked_devices
    where site_id = ${site_id} and linked_device_id = ${linked_device_id}
      and (app_id = ${app_id} or app_id is null)
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
  // Not now(): to a transaction that began before this one, and waits for it, that would still be ahead.
  await tx`
    update linked_devices set pin_expiration = null, pin_tries = 0 where site_id = ${site_id} and _id = ${device._id}
  `
  return { _id: device._id, consumer_id: device.consumer_id }
}
