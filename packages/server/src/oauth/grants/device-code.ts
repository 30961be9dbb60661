import { holdOwners } from '../../auth/hold-owners.js'
import { type IssuedTokens, openSession, whyNotOpened } from '../../auth/sessions.js'
import type { Db } from '../../db/database.js'
import { invalidGrant, OAuthError, unverified } from '../oauth-error.js'
import { required } from '../parameters.js'
import { type Grant, sessionOrigin, type TokenRequest } from './grant.js'

interface Polled {
  readonly _id: string
  readonly consumer_id: string | null
  readonly device_scope: string
  readonly alive: boolean
  readonly denied: boolean
  readonly hasty: boolean
}

const wrongCode = () => invalidGrant('The device code is not valid.')

/** RFC 8628 §3.4: a device polls until its viewer has accepted or declined. */
export const deviceCodeGrant: Grant = {
  name: 'urn:ietf:params:oauth:grant-type:device_code',
  async run(asking) {
    const { parts, client, parameters } = asking
    const digest = parts.sealer.digest(required(parameters, 'device_code'))
    const outcome = await parts.database.transaction(async (tx) => {
      const device = await poll(tx, client.site_id, client.app_id, digest)
      return device ? answerTo(tx, asking, device) : wrongCode()
    })
    if (outcome instanceof OAuthError) throw outcome
    return outcome
  },
}

/** Finds the device and records the poll; a device that polls too often must wait longer (§3.5). */
async function poll(tx: Db, site_id: string, app_id: string, digest: Buffer): Promise<Polled | undefined> {
  const named = tx`
    from linked_devices where device_code_digest = ${digest} and site_id = ${site_id} and app_id = ${app_id}
  `
  await holdOwners(tx, { site_id, app_id }, tx`select consumer_id ${named}`)
  const [device] = await tx<Polled[]>`
    select _id, consumer_id, device_scope, pin_expiration > now() as alive, denied,
      coalesce(polled_at > now() - make_interval(secs => poll_seconds - 1), false) as hasty
    ${named} for update
  `
  if (device)
    await tx`
      update linked_devices set polled_at = now(), poll_seconds = poll_seconds + ${device.hasty ? 5 : 0}
      where site_id = ${site_id} and _id = ${device._id}
    `
  return device
}

async function answerTo(tx: Db, asking: TokenRequest, device: Polled): Promise<IssuedTokens | OAuthError> {
  if (device.denied) return new OAuthError('access_denied', 'The viewer has refused to link this device.')
  if (!device.alive) return new OAuthError('expired_token', 'The code has expired. Ask for a new one.')
  if (!device.consumer_id)
    return device.hasty
      ? new OAuthError('slow_down', 'Ask less often: wait five seconds longer between two requests.')
      : new OAuthError('authorization_pending', 'The viewer has not linked this device yet.')
  const { parts, client } = asking
  const opening = {
    ...sessionOrigin({ ...asking, scope: device.device_scope }),
    consumer_id: device.consumer_id,
    device_id: device._id,
  }
  const session = await openSession(tx, parts.sealer, parts.lifetimes, opening)
  if (!session) return (await whyNotOpened(tx, opening)) === 'unverified' ? unverified() : wrongCode()
  await tx`
    update linked_devices set device_code_digest = null, pin_expiration = now()
    where site_id = ${client.site_id} and _id = ${device._id}
  `
  return session.tokens
}
