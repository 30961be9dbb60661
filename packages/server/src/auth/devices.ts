import type { Db } from '../db/database.js'
import { newId } from '../lib/object-id.js'

/** A device as the PIN endpoints return it. */
export interface Device {
  readonly _id: string
  readonly site_id: string
  readonly app_id: string | null
  readonly consumer_id: string | null
  readonly linked_device_id: string
  readonly type: string | null
  readonly asked_from: string | null
  /** The network of its last sign-in with a PIN. */
  readonly linked_from: string | null
  /** The scope requested with the device grant; null for a device that only uses PINs. */
  readonly device_scope: string | null
  readonly pin_nonce: Uint8Array | null
  readonly pin_expiration: Date | null
  readonly alive: boolean
  /**
   * The PIN was requested by someone who may not be the linked device, so it works only after linking again.
   */
  readonly pin_needs_link: boolean
  readonly created_at: Date
  readonly updated_at: Date
}

export const deviceColumns = (db: Db) => db`
  _id, site_id, app_id, consumer_id, linked_device_id, type, asked_from, linked_from, device_scope, pin_nonce, pin_expiration,
  pin_needs_link, coalesce(pin_expiration > now(), false) as alive, created_at, updated_at
`

/** The columns to set when a device loses its viewer: its link and its PIN both end. */
export const unlinked = (db: Db) => db`
  consumer_id = null, linked_at = null, linked_from = null, pin_expiration = null, pin_needs_link = false,
  updated_at = now()
`

/** A device requesting a PIN. */
export interface PinRequest {
  readonly site_id: string
  /** Undefined if the request comes from a publisher's own server. */
  readonly app_id: string | undefined
  readonly linked_device_id: string
  readonly type?: string | null
  readonly ip: string
  /** For the device grant: the digest of the device code, and the requested scope. */
  readonly deviceCode?: { readonly digest: Buffer; readonly scope: string }
}

/**
 * The device with this id in this app, created on its first request. It stays locked until the transaction
 * ends.
 */
export async function findOrMakeDevice(tx: Db, asking: PinRequest): Promise<Device> {
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
  return device
}
