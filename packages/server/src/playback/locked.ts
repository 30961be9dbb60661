import { catalog } from '@zoetrope/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { watcherOf } from '../auth/access.js'
import { run, sql } from '../db/fragment.js'
import { ApiError } from '../errors.js'
import { isPayment, type Terms } from '../features/videos/may-watch.js'
import { isId } from '../lib/object-id.js'
import { webAddress } from '../lib/web-address.js'
import { withinScope } from '../resources/store.js'
import { type LockedLink, lockedPage, lockedPolicy } from './locked-page.js'
import { sendPage } from './page-answers.js'
import { type Playback, uncached } from './playback.js'
import { shareUrl } from './snippets.js'
import { type PlayerRecord, posterOf } from './videos.js'

interface LockedChannel {
  readonly title: string
  readonly support_url: string | null
  readonly sign_in_url: string | null
  readonly subscribe_url: string | null
  readonly purchase_url: string | null
}

/**
 * The share page of a published video that this viewer would have to sign in or pay for. Everybody may know that it exists.
 * Rules about countries, devices and times hide a video, so for them this page is not shown.
 */
export async function sendLocked(
  playback: Playback,
  request: FastifyRequest,
  reply: FastifyReply,
  videoId: string,
  error: unknown,
): Promise<FastifyReply> {
  const { caller } = request
  if (!(error instanceof ApiError && caller && isPayment(error.code))) throw error
  const found = await findLocked(playback, caller.siteId, videoId)
  if (!found) throw error
  const { record, channel } = found
  const isSignedIn = watcherOf(caller) !== ''
  const page = lockedPage({
    title: record.title,
    channel: channel.title,
    code: error.code,
    reason: error.message,
    poster: posterOf(record),
    address: shareUrl({ playerUrl: playback.playerUrl, videoId, slug: record.friendly_title }),
    links: linksFor(record, channel, isSignedIn),
    help: webAddress(channel.support_url)?.href,
  })
  return sendPage(reply.status(403).headers(uncached), page, lockedPolicy)
}

async function findLocked({ parts }: Playback, site_id: string, id: string) {
  if (!isId(id)) return undefined
  const [row] = await run<{ record: string; channel: LockedChannel }>(
    parts.database.db,
    sql`
    select record, (
      select to_json(channel) from (
        select title, support_url, sign_in_url, subscribe_url, purchase_url from channels where _id = ${site_id}
      ) as channel
    ) as channel
    from videos where ${withinScope(catalog.videos, { site_id }, false)} and _id = ${id}
  `,
  )
  return row && { channel: row.channel, record: JSON.parse(row.record) as PlayerRecord }
}

/** What would help this viewer, as far as the channel says where to find it. */
function linksFor(record: PlayerRecord, channel: LockedChannel, isSignedIn: boolean): LockedLink[] {
  const named = (text: string | null) => webAddress(text?.replaceAll('{video_id}', record._id))?.href
  const links = [
    { label: buyLabel(record), href: named(channel.purchase_url) },
    { label: record.subscription_required ? 'Subscribe' : '', href: named(channel.subscribe_url) },
    { label: isSignedIn ? '' : 'Sign in', href: named(channel.sign_in_url) },
  ]
  return links.flatMap(({ label, href }) => (label !== '' && href ? [{ label, href }] : []))
}

function buyLabel({ purchase_required, rental_required, pass_required }: Terms): string {
  if (purchase_required) return rental_required ? 'Buy or rent' : 'Buy'
  if (rental_required) return 'Rent'
  return pass_required ? 'Get a pass' : ''
}
