import { giveBack } from '../../auth/attempts.js'
import { bucketFrom, takeOrRefuse } from '../../auth/limits.js'
import { redeemPin } from '../../auth/pins.js'
import { type IssuedTokens, openSession, whyNotOpened } from '../../auth/sessions.js'
import { judge } from '../../auth/sign-in.js'
import { tooMany } from '../../errors.js'
import { invalidGrant, invalidRequest, OAuthError, unverified } from '../oauth-error.js'
import { type Grant, sessionOrigin, type TokenRequest } from './grant.js'

/** The specification, 4.1: e-mail address with password, or linked device with PIN. */
export const passwordGrant: Grant = {
  name: 'password',
  async run(asking) {
    const { username, password, linked_device_id, pin } = asking.parameters
    if (username !== undefined && password !== undefined) return byPassword(asking, username, password)
    if (linked_device_id !== undefined && pin !== undefined) return byPin(asking, linked_device_id, pin)
    if (username !== undefined) throw invalidRequest('With username the parameter password is required.')
    if (linked_device_id !== undefined)
      throw invalidRequest('With linked_device_id the parameter pin is required.')
    throw invalidRequest('Send username with password, or linked_device_id with pin.')
  },
}

const wrongCredentials = () => invalidGrant('The e-mail address or the password is wrong.')

async function byPassword(asking: TokenRequest, email: string, password: string): Promise<IssuedTokens> {
  const { parts, client, ip } = asking
  // A device's PIN is not a password: it still works when the password grant is switched off.
  if (!client.password_grant)
    throw new OAuthError(
      'unauthorized_client',
      'This app may not sign viewers in with their password. Send them to the sign-in page or link the device.',
    )
  const { site_id, app_id } = client
  const verdict = await judge(parts, { site_id, app_id, email, password, ip })
  if (verdict.kind === 'wait') throw tooMany(verdict.seconds)
  if (verdict.kind === 'wrong') throw wrongCredentials()
  const { _id: consumer_id, proof } = verdict.consumer
  const { db } = parts.database
  const opening = { ...sessionOrigin(asking), consumer_id }
  const session = await openSession(db, parts.sealer, parts.lifetimes, opening, proof)
  if (session) return session.tokens
  throw (await whyNotOpened(db, opening)) === 'unverified' ? unverified() : wrongCredentials()
}

async function byPin(asking: TokenRequest, linked_device_id: string, pin: string): Promise<IssuedTokens> {
  const { parts, client, ip } = asking
  const { database, sealer, lifetimes } = parts
  const bucket = bucketFrom('device_pin', ip)
  await takeOrRefuse(parts, bucket)
  const { site_id, app_id } = client
  const opened = await database.transaction(async (tx) => {
    const device = await redeemPin(tx, sealer, { site_id, app_id, linked_device_id, pin, ip })
    if (!device) return undefined
    const opening = { ...sessionOrigin(asking), consumer_id: device.consumer_id, device_id: device._id }
    const session = await openSession(tx, sealer, lifetimes, opening)
    return session ?? (await whyNotOpened(tx, opening))
  })
  if (opened === 'unverified') throw unverified()
  if (opened === undefined || opened === 'gone')
    throw invalidGrant('The device or its PIN is not valid, or the device is not linked yet.')
  await giveBack(database.db, sealer, [bucket])
  return opened.tokens
}
