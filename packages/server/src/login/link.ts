import { giveBack, takeAttempt } from '../auth/attempts.js'
import type { Device } from '../auth/devices.js'
import { bucketFrom } from '../auth/limits.js'
import { findWaiting, plainPin } from '../auth/pins.js'
import type { Db } from '../db/database.js'
import { tooMany } from '../errors.js'
import type { Parts } from '../resources/feature.js'
import { channelWith, onlyChannel } from './channel.js'
import { approval } from './link-approval.js'
import { formText, type PageVisit, pagePath, type Redirect, type ShownPage } from './page-visit.js'
import { pinPage } from './pages/pin-page.js'
import { signInPage } from './pages/sign-in-page.js'
import { openField, sealField } from './sealed-field.js'
import { type Problem, signIn } from './sign-in.js'

/** A device waiting to be linked, carried from one form to the next. */
interface WaitingDevice {
  readonly pin: string
  readonly device_id: string
}

const wrongPin = 'This PIN is not valid. Check whether your TV shows a new one, and try again.'

export async function askForPin(visit: PageVisit): Promise<ShownPage> {
  return pinForm(visit.parts, { pin: formText(visit, 'pin') })
}

/** Before the PIN is known, a channel's branding is shown only if there is just one channel. */
async function pinForm(parts: Parts, state: { pin?: string; error?: string }): Promise<ShownPage> {
  const brand = (await onlyChannel(parts.database.db))?.brand
  return { brand, html: pinPage({ brand, action: pagePath(parts, '/link'), ...state }) }
}

/** Accepts the PIN that a TV shows; many attempts are slowed down. */
export async function takePin(visit: PageVisit): Promise<ShownPage> {
  const { parts, ip } = visit
  const { database, sealer } = parts
  const pin = formText(visit, 'pin')
  if (pin === undefined)
    return { ...(await pinForm(parts, { error: 'Type the PIN that your TV shows.' })), status: 422 }
  const bucket = bucketFrom('pin_typed', ip)
  const seconds = await takeAttempt(database.db, sealer, [bucket])
  if (seconds > 0) {
    const { message, headers } = tooMany(seconds)
    return { ...(await pinForm(parts, { pin, error: message })), status: 429, headers }
  }
  const device = await findWaiting(database.db, sealer, pin)
  if (!device) return { ...(await pinForm(parts, { pin, error: wrongPin })), status: 422 }
  await giveBack(database.db, sealer, [bucket])
  return (await signInFor(parts, device, plainPin(pin))).page({})
}

/** Signs the viewer in, then asks whether it is the right device. */
export async function signInToLink(visit: PageVisit): Promise<ShownPage | Redirect> {
  const { parts } = visit
  const { database, sealer } = parts
  const { pin, device_id } = openField<WaitingDevice>(sealer, 'link sign-in', formText(visit, 'sealed'))
  const device = await findWaiting(database.db, sealer, pin)
  if (!device || device._id !== device_id)
    return { ...(await pinForm(parts, { error: wrongPin })), status: 422 }
  const { page, channel, appTitle } = await signInFor(parts, device, pin)
  return signIn(visit, {
    channel,
    // A device without an app counts for its channel.
    app_id: device.app_id ?? device.site_id,
    page,
    enter: async (_tx, consumer) => approval(parts, { channel, consumer, device, pin, appTitle }),
  })
}

/** The sign-in page of the device's channel. */
async function signInFor(parts: Parts, device: Device, pin: string) {
  const { sealer, database } = parts
  const channel = await channelWith(database.db, device.site_id)
  const appTitle = (await appTitleOf(database.db, device)) ?? 'your TV'
  const { site_id, brand } = channel
  const waiting: WaitingDevice = { pin, device_id: device._id }
  const page = (problem: Problem): ShownPage => ({
    brand,
    html: signInPage({
      brand,
      appTitle,
      action: pagePath(parts, '/link/sign-in'),
      hidden: { sealed: sealField(sealer, 'link sign-in', waiting) },
      forgotUrl: pagePath(parts, `/forgot-password?channel=${site_id}`),
      ...problem,
    }),
  })
  return { channel, appTitle, page }
}

async function appTitleOf(db: Db, { site_id, app_id }: Device): Promise<string | undefined> {
  const [app] = await db<{ title: string }[]>`
    select title from apps where site_id = ${site_id} and _id = ${app_id}
  `
  return app?.title
}
