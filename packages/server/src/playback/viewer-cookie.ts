import type { FastifyRequest } from 'fastify'
import { cookieIn } from '../api/dashboard-session.js'
import { findWatchSession, type SignedInViewer } from '../auth/watch-sessions.js'
import type { Parts } from '../resources/feature.js'
import type { Playback } from './playback.js'

/** Each channel has its own cookie, so that viewers can be signed in to several channels of one server. */
const nameFor = (siteId: string) => `zoetrope_viewer_${siteId}`
const form = /^[0-9a-f]{64}$/

/** The consumer who signed in to this channel's share pages in this browser. */
export async function viewerIn(
  { database, sealer }: Parts,
  { headers }: FastifyRequest,
  siteId: string,
): Promise<SignedInViewer | undefined> {
  const token = cookieIn(headers, nameFor(siteId)) ?? ''
  return form.test(token) ? findWatchSession(database.db, sealer, siteId, token) : undefined
}

/** The header that sets the cookie, which browsers send to share pages only. An empty token removes it. */
export function viewerCookie({ playerUrl }: Playback, siteId: string, token: string, seconds = 0): string {
  const { pathname, protocol } = new URL(playerUrl)
  const path = `${pathname.replace(/\/+$/, '')}/watch`
  const parts = [
    `${nameFor(siteId)}=${token}`,
    `Path=${path}`,
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Lax',
  ]
  return [...parts, ...(protocol === 'https:' ? ['Secure'] : [])].join('; ')
}
