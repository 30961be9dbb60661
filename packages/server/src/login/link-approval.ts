import type { Device } from '../auth/devices.js'
import { pinDigest } from '../auth/pins.js'
import type { KnownConsumer } from '../auth/sign-in.js'
import { linkForConsumer } from '../features/pin/link.js'
import type { Parts } from '../resources/feature.js'
import { checkAdmission } from './admission.js'
import { channelWith, type LoginChannel } from './channel.js'
import { confirmFirst } from './confirm-email.js'
import { PageError } from './page-error.js'
import { formText, type PageVisit, pagePath, type ShownPage } from './page-visit.js'
import { approvePage } from './pages/approve-page.js'
import type { Brand } from './pages/brand.js'
import { donePage } from './pages/message-pages.js'
import { openField, sealField } from './sealed-field.js'

/** A signed-in viewer deciding about a device. */
interface LinkApproval {
  readonly site_id: string
  readonly consumer_id: string
  readonly email: string
  readonly device_id: string
  readonly pin: string
  /** A digest of the password's hash: changing the password invalidates it. */
  readonly proof: string
}

interface ApprovalRequest {
  readonly channel: LoginChannel
  readonly consumer: KnownConsumer
  readonly device: Device
  readonly pin: string
  readonly appTitle: string
}

const proofOf = ({ sealer }: Parts, password_hash: string) =>
  sealer.digest(`password hash ${password_hash}`).toString('base64url')

/** Shows which device wants to be linked, and asks for consent. */
export function approval(
  parts: Parts,
  { channel, consumer, device, pin, appTitle }: ApprovalRequest,
): ShownPage {
  const { brand, site_id } = channel
  const consent: LinkApproval = {
    site_id,
    consumer_id: consumer._id,
    email: consumer.email,
    device_id: device._id,
    pin,
    proof: proofOf(parts, consumer.proof.password_hash),
  }
  return {
    brand,
    html: approvePage({
      brand,
      action: pagePath(parts, '/link/approve'),
      hidden: { sealed: sealField(parts.sealer, 'link approval', consent) },
      consumerEmail: consumer.email,
      appTitle,
      device: {
        type: device.type,
        pin,
        askedFrom: device.asked_from ?? 'an unknown address',
        askedAt: device.updated_at,
      },
      now: new Date(),
    }),
  }
}

/** Links the device, or records that the viewer declined. */
export async function decideOnLink(visit: PageVisit): Promise<ShownPage> {
  const { parts } = visit
  const consent = openField<LinkApproval>(parts.sealer, 'link approval', formText(visit, 'sealed'))
  const channel = await channelWith(parts.database.db, consent.site_id)
  const decision = formText(visit, 'decision')
  if (decision === 'allow') return allow(parts, channel, consent)
  if (decision === 'deny') return deny(parts, channel, consent)
  throw new PageError(422, 'This form cannot be read', 'Go back and press one of the two buttons.', {
    brand: channel.brand,
  })
}

async function allow(parts: Parts, channel: LoginChannel, consent: LinkApproval): Promise<ShownPage> {
  const { brand } = channel
  const outcome = await parts.database.transaction(async (tx) => {
    const admission = await checkAdmission(tx, consent, (hash) => proofOf(parts, hash) === consent.proof)
    if (admission !== 'admitted') return admission
    return (await linkForConsumer(tx, parts.sealer, consent)) ? 'linked' : 'late'
  })
  if (outcome === 'unverified') return confirmFirst(parts, channel, consent.email)
  if (outcome === 'changed')
    throw new PageError(422, 'Your account has changed', 'Please sign in again.', again(parts, brand))
  if (outcome === 'late') throw tooLate(parts, brand)
  return done(brand, 'Your TV is linked', 'Go back to it: it will continue in a moment.')
}

async function deny(parts: Parts, { brand }: LoginChannel, consent: LinkApproval): Promise<ShownPage> {
  const { db } = parts.database
  const { site_id, device_id, pin } = consent
  // Its PIN ends too, so that a device that only uses PINs can request another.
  const { count } = await db`
    update linked_devices set denied = true, pin_expiration = now(), updated_at = now()
    where site_id = ${site_id} and _id = ${device_id} and pin_digest = ${pinDigest(parts.sealer, pin)}
      and pin_expiration > now() and (consumer_id is null or pin_needs_link)
  `
  if (count === 0) throw tooLate(parts, brand)
  return done(
    brand,
    'The device is not linked',
    'Nothing has changed in your account. You can close this page.',
  )
}

const tooLate = (parts: Parts, brand: Brand) =>
  new PageError(
    422,
    'This PIN is no longer valid',
    'It has expired or was already used. Check whether your TV shows a new one.',
    again(parts, brand),
  )

const again = (parts: Parts, brand: Brand) => ({
  brand,
  link: { url: pagePath(parts, '/link'), label: 'Type a PIN' },
})

const done = (brand: Brand, title: string, text: string): ShownPage => ({
  brand,
  html: donePage({ brand, title, text }),
})
