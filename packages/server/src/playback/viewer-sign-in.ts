import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addBodies, type Fields } from '../api/body.js'
import { isOwn } from '../api/dashboard-session.js'
import { openSession, whyNotOpened } from '../auth/sessions.js'
import { judge } from '../auth/sign-in.js'
import { endWatchSession } from '../auth/watch-sessions.js'
import { forbidden, notPossible, tooMany } from '../errors.js'
import { isStorableText } from '../lib/clean.js'
import { sendLocked } from './locked.js'
import { refuseWithPage } from './page-answers.js'
import { inPath, type Playback, uncached } from './playback.js'
import { parametersOf } from './player-parameters.js'
import { idInSlug, sharePath, titleInSlug } from './snippets.js'
import { viewerCookie, viewerIn } from './viewer-cookie.js'
import type { ViewerProblem } from './viewer-forms.js'
import { playerOf } from './visitor.js'

/** Throws if the page of the video cannot be shown to this visitor. */
type OpenPage = (request: FastifyRequest) => Promise<unknown>

/** The two forms of share pages: viewers sign in with their password, and sign out. `app` is a scope of its own. */
export function addViewerSignIn(app: FastifyInstance, playback: Playback, openPage: OpenPage): void {
  const { parts } = playback
  addBodies(app)
  const add = (
    url: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ) =>
    app.route({
      method: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'],
      url,
      async handler(request, reply) {
        // Somebody reloads the page after a wrong password, or shares its address.
        if (request.method === 'GET' || request.method === 'HEAD') return backToPage(playback, request, reply)
        if (request.method !== 'POST') throw notPossible(request.method, 'POST', 'GET, HEAD, POST')
        refuseOtherSites(playback, request)
        return handler(request, reply)
      },
      errorHandler: refuseWithPage,
    })
  add('/watch/:id/sign-in', async (request, reply) => {
    const videoId = idInSlug(inPath(request, 'id'))
    const { principal } = await playerOf(parts, videoId)
    const entered = await enter(playback, request, principal.siteId)
    if ('cookie' in entered) return backToPage(playback, request, reply.header('set-cookie', entered.cookie))
    try {
      await openPage(request)
    } catch (error) {
      return sendLocked(playback, request, reply, videoId, error, entered)
    }
    return backToPage(playback, request, reply)
  })
  add('/watch/:id/sign-out', async (request, reply) => {
    const { principal } = await playerOf(parts, idInSlug(inPath(request, 'id')))
    const viewer = await viewerIn(parts, request, principal.siteId)
    if (viewer) await endWatchSession(parts.database.db, principal.siteId, viewer.session_id)
    return backToPage(
      playback,
      request,
      reply.header('set-cookie', viewerCookie(playback, principal.siteId, '')),
    )
  })
}

/** Leads back to the address that the viewer came from, with the title in it. */
function backToPage({ playerUrl }: Playback, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const name = inPath(request, 'id')
  const [videoId, slug] = [idInSlug(name), titleInSlug(name)]
  const path = sharePath({ playerUrl, videoId, slug, parameters: parametersOf(request) })
  return reply.headers(uncached).redirect(path, 303)
}

/** Refuses forms that other sites send: they could sign viewers out, or in as somebody else. */
function refuseOtherSites({ playerUrl }: Playback, request: FastifyRequest): void {
  if (isOwn(request) || request.headers.origin === new URL(playerUrl).origin) return
  throw forbidden(
    'This form came from another site. Open the page of the video and try again.',
    'foreign_origin',
  )
}

/** Checks e-mail address and password, with the limits of the token endpoint, and opens a session for the share pages. */
async function enter(
  playback: Playback,
  request: FastifyRequest,
  site_id: string,
): Promise<{ readonly cookie: string } | ViewerProblem> {
  const { database, sealer, lifetimes } = playback.parts
  const [email, password] = [textIn(request, 'email'), textIn(request, 'password')]
  const wrong = (['email', 'password'] as const).filter((_, index) => [email, password][index] === '')
  if (wrong.length > 0)
    return { status: 422, message: 'Type your e-mail address and your password.', email, wrong }
  const ip = request.ip
  // All share pages of a channel count as one app.
  const verdict = await judge(playback.parts, { site_id, app_id: site_id, email, password, ip })
  if (verdict.kind === 'wait') {
    const { message, headers } = tooMany(verdict.seconds)
    return { status: 429, headers, message, email, wrong: [] }
  }
  const refused = {
    status: 401,
    message: 'The e-mail address or the password is wrong.',
    email,
    wrong: ['email', 'password'],
  } as const
  if (verdict.kind === 'wrong') return refused
  const { _id: consumer_id, proof } = verdict.consumer
  const opening = { site_id, consumer_id, scope: 'consumer', ip, user_agent: request.headers['user-agent'] }
  const session = await openSession(database.db, sealer, lifetimes, opening, proof)
  if (session) {
    const { access_token, expires_in } = session.tokens
    return { cookie: viewerCookie(playback, site_id, access_token, expires_in) }
  }
  if ((await whyNotOpened(database.db, opening)) === 'gone') return refused
  const message =
    'Confirm your e-mail address first: open the link in the mail that you got when you signed up.'
  return { status: 403, message, email, wrong: ['email'] }
}

/** A field of the form. Values that the form never sends count as empty. */
function textIn({ body }: FastifyRequest, name: string): string {
  const { tree, written } = (body as Fields | undefined) ?? { tree: {}, written: 'form' }
  const value = written === 'form' && Object.hasOwn(tree, name) ? tree[name] : ''
  return typeof value === 'string' && value.length <= longest && isStorableText(value) ? value : ''
}

const longest = 1000
