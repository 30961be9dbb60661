import { catalog } from '@zoetrope/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { watcherOf } from '../auth/access.js'
import { ApiError } from '../errors.js'
import { isPayment, type Terms } from '../features/videos/may-watch.js'
import { isId } from '../lib/object-id.js'
import { webAddress } from '../lib/web-address.js'
import { withinScope } from '../resources/store.js'
import type { WayIn } from './embed-page.js'
import { type OfferedPass, type OfferedPlan, offersFor } from './locked-offers.js'
import { type LockedLink, lockedPage, lockedPolicy } from './locked-page.js'
import { sendPage } from './page-answers.js'
import { type Playback, uncached } from './playback.js'
import { parametersOf } from './player-parameters.js'
import { sharePath, shareUrl } from './snippets.js'
import { posterOf } from './thumbnails.js'
import type { PlayerRecord } from './videos.js'
import { viewerIn } from './viewer-cookie.js'
import type { ViewerProblem } from './viewer-forms.js'

interface LockedChannel {
  readonly title: string
  readonly support_url: string | null
  readonly sign_in_url: string | null
  readonly subscribe_url: string | null
  readonly purchase_url: string | null
}

interface LockedRow {
  readonly record: string
  readonly channel: LockedChannel
  readonly plans: readonly OfferedPlan[]
  readonly passes: readonly OfferedPass[]
}

const mostOffers = 20

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
  problem?: ViewerProblem,
): Promise<FastifyReply> {
  const { caller } = request
  if (!(error instanceof ApiError && caller && isPayment(error.code))) throw error
  const found = await findLocked(playback, caller.siteId, videoId)
  if (!found) throw error
  const { record, channel, plans, passes } = found
  const isSignedIn = watcherOf(caller) !== ''
  const viewer = await viewerIn(playback.parts, request, caller.siteId)
  const named = { playerUrl: playback.playerUrl, videoId, slug: record.friendly_title }
  const path = sharePath({ ...named, parameters: parametersOf(request) })
  const links = linksFor(record, channel, isSignedIn)
  const page = lockedPage({
    title: record.title,
    channel: channel.title,
    code: error.code,
    reason: error.message,
    poster: posterOf(record),
    address: shareUrl(named),
    links,
    offers: offersFor(record, plans, passes),
    ask: questionFor(record, links),
    help: webAddress(channel.support_url)?.href,
    signIn:
      isSignedIn || webAddress(channel.sign_in_url) ? undefined : signInFor(playback, caller.siteId, path),
    signedIn: viewer && { email: viewer.email, action: formAction(path, 'sign-out') },
    problem,
  })
  const { status, headers } = problem ?? { status: 403, headers: {} }
  return sendPage(
    reply.status(status).headers({ ...uncached, ...headers }),
    page,
    lockedPolicy,
    'same-origin',
  )
}

/** Where access to a video can be had that this viewer would have to sign in or pay for. */
export async function wayIn(
  playback: Playback,
  { caller }: FastifyRequest,
  videoId: string,
  error: unknown,
): Promise<WayIn | undefined> {
  if (!(error instanceof ApiError && caller && isPayment(error.code))) return undefined
  const found = await findLocked(playback, caller.siteId, videoId)
  if (!found) return undefined
  const { record } = found
  const named = { playerUrl: playback.playerUrl, videoId, slug: record.friendly_title }
  return { poster: posterOf(record), shareUrl: shareUrl(named) }
}

async function findLocked({ parts }: Playback, site_id: string, id: string) {
  if (!isId(id)) return undefined
  const [row] = await parts.database.db<LockedRow[]>`
    select record, (
      select to_json(channel) from (
        select title, support_url, sign_in_url, subscribe_url, purchase_url from channels where _id = ${site_id}
      ) as channel
    ) as channel, array(
      select to_json(plan) from (
        select name, amount::text, currency, interval, interval_count, trial_period_days from plans
        where site_id = ${site_id} and active
          and (entitlement_type = 'global' or playlist_ids && videos.related_playlist_ids)
        order by plans.amount, name limit ${mostOffers}
      ) as plan
    ) as plans, array(
      select to_json(pass) from (
        select name, amount::text, currency, duration from pass_plans where site_id = ${site_id} and active
        order by pass_plans.amount, name limit ${mostOffers}
      ) as pass
    ) as passes
    from videos where ${withinScope(catalog.videos, { site_id }, false)} and _id = ${id}
  `
  return row && { ...row, record: JSON.parse(row.record) as PlayerRecord }
}

/** The channel's own sign-in page goes first; without one, viewers sign in on the share page. */
const signInFor = ({ parts: { loginUrl } }: Playback, siteId: string, path: string) => ({
  action: formAction(path, 'sign-in'),
  forgotUrl: `${loginUrl}/forgot-password?channel=${siteId}`,
})

/** A form of the share page, with the start time that the address of the page has. */
function formAction(path: string, form: string): string {
  const [page, query] = path.split('?')
  return `${page}/${form}${query ? `?${query}` : ''}`
}

/** What to ask the channel, if it has no link for it. */
function questionFor(record: PlayerRecord, links: readonly LockedLink[]): string | undefined {
  if (links.some(({ label }) => label !== signInLabel)) return undefined
  const { subscription_required, registration_required } = record
  if (!subscription_required && buyLabel(record) === '' && !record.redemption_code_required)
    return registration_required ? 'for an account' : undefined
  return subscription_required && buyLabel(record) === '' ? 'how to subscribe' : 'how to get access'
}

const signInLabel = 'Sign in'

/** What would help this viewer, as far as the channel says where to find it. */
function linksFor(record: PlayerRecord, channel: LockedChannel, isSignedIn: boolean): LockedLink[] {
  const named = (text: string | null) => webAddress(text?.replaceAll('{video_id}', record._id))?.href
  const links = [
    { label: buyLabel(record), href: named(channel.purchase_url) },
    { label: record.subscription_required ? 'Subscribe' : '', href: named(channel.subscribe_url) },
    { label: isSignedIn ? '' : signInLabel, href: named(channel.sign_in_url) },
  ]
  return links.flatMap(({ label, href }) => (label !== '' && href ? [{ label, href }] : []))
}

function buyLabel({ purchase_required, rental_required, pass_required }: Terms): string {
  if (purchase_required) return rental_required ? 'Buy or rent' : 'Buy'
  if (rental_required) return 'Rent'
  return pass_required ? 'Get a pass' : ''
}
