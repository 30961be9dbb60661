import { confirmedEndpoints, type PublisherAnswers } from '@zoetrope/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sessionCookie } from '../api/dashboard-session.js'
import type { Verb } from '../api/endpoints.js'
import { notPossible, unavailable } from '../errors.js'
import { whileAlive } from '../lib/while-alive.js'
import type { Watch } from '../library/watch.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import type { Parts } from '../resources/feature.js'
import { acceptInvitation, showInvitation } from './accept-invitation.js'
import { runEndpoint } from './admit.js'
import { deleteAllVideos, restoreAllVideos, showAllVideos } from './all-videos.js'
import { makeChannel } from './channels.js'
import { deleteChannel } from './delete-channel.js'
import { forgotPassword, setForgottenPassword } from './forgotten-password.js'
import type { IdentityProvider } from './identity-provider.js'
import { listInvitations, makeInvitation, takeBackInvitation } from './invitations.js'
import { addJsonBodies } from './json-body.js'
import { listKeys, replaceApp, replaceKey, revealApp, revealKey } from './keys.js'
import { changeMember, endMembership, listMembers, listOwners } from './members.js'
import { addOidc, showSignIn } from './oidc.js'
import { showOverview } from './overview.js'
import { changePassword, confirm } from './password.js'
import {
  anyone,
  type DropPassword,
  type EndpointResult,
  everyRole,
  type KeepKey,
  type Mail,
  onDuty,
  type PublisherEndpoint,
  signedIn,
} from './request.js'
import { listRequests } from './requests.js'
import { makeSample } from './sample.js'
import { endSessions, listSessions, showSession, signIn, signOut } from './session.js'
import { sendTestMail, showStatus } from './status.js'
import { showStorage, tryStorage, verifyStorage } from './storage.js'
import { beginTotp, disableTotp, enableTotp } from './totp.js'
import { changeView, deleteView, listViews, makeView } from './views.js'
import { acceptWelcome, showWelcome } from './welcome.js'

/** Every endpoint of the contract must be here and return what the contract says, or this does not compile. */
type PublisherEndpoints = {
  readonly [P in keyof PublisherAnswers]: {
    readonly [V in keyof PublisherAnswers[P]]: PublisherEndpoint<PublisherAnswers[P][V]>
  }
}

/** The dashboard's own API. For everything else it uses the public API. */
export const endpoints: PublisherEndpoints = {
  '/session': { GET: signedIn(showSession), POST: anyone(signIn), DELETE: signedIn(signOut) },
  '/sign-in': { GET: anyone(showSignIn) },
  '/password': { PUT: signedIn(changePassword) },
  '/forgotten-password': { POST: anyone(forgotPassword), PUT: anyone(setForgottenPassword) },
  '/confirm': { POST: signedIn(confirm) },
  '/totp': { POST: signedIn(beginTotp), PUT: signedIn(enableTotp), DELETE: signedIn(disableTotp) },
  '/channels': { POST: signedIn(makeChannel) },
  '/overview': { GET: everyRole(showOverview) },
  '/requests': { GET: onDuty('requests', listRequests) },
  '/views': { GET: everyRole(listViews), POST: everyRole(makeView) },
  '/views/:id': { PUT: everyRole(changeView), DELETE: everyRole(deleteView) },
  '/channel': { DELETE: onDuty('channel', deleteChannel) },
  '/all-videos': {
    GET: onDuty('channel', showAllVideos),
    DELETE: onDuty('channel', deleteAllVideos),
    POST: onDuty('channel', restoreAllVideos),
  },
  '/status': { GET: onDuty('status', showStatus) },
  '/status/mail': { POST: onDuty('test_mail', sendTestMail) },
  '/storage': { GET: onDuty('storage', showStorage) },
  '/storage/check': { POST: onDuty('storage', tryStorage) },
  '/storage/verify': { POST: onDuty('storage', verifyStorage) },
  '/sample': { POST: onDuty('sample', makeSample) },
  '/keys': { GET: onDuty('keys', listKeys) },
  '/keys/:kind/reveal': { POST: onDuty('keys', revealKey) },
  '/keys/:kind/rotate': { POST: onDuty('keys', replaceKey) },
  '/apps/:id/reveal': { POST: onDuty('app_secrets', revealApp) },
  '/apps/:id/rotate': { POST: onDuty('app_secrets', replaceApp) },
  '/owners': { GET: everyRole(listOwners) },
  '/members': { GET: onDuty('team', listMembers) },
  '/members/:id': { PUT: onDuty('team', changeMember), DELETE: onDuty('team', endMembership) },
  '/invitations': { GET: onDuty('team', listInvitations), POST: onDuty('team', makeInvitation) },
  '/invitations/:id': { DELETE: onDuty('team', takeBackInvitation) },
  '/invitation/:token': { GET: anyone(showInvitation), POST: anyone(acceptInvitation) },
  '/welcome': { POST: anyone(showWelcome), PUT: anyone(acceptWelcome) },
  '/sessions': { GET: signedIn(listSessions), DELETE: signedIn(endSessions) },
}

export const root = '/dashboard/api'

interface PublisherParts {
  readonly parts: Parts
  readonly media: MediaParts
  readonly watch: Watch
  readonly mail: Mail
  readonly keepKey: KeepKey
  readonly dropPassword: DropPassword
  readonly provider: IdentityProvider | undefined
}

/** Publishers sign in here, and do what only people do. JSON, for pages of the same origin. */
export function addPublishers(app: FastifyInstance, surroundings: PublisherParts): void {
  const { parts, provider } = surroundings
  const isSecure = parts.apiUrl.startsWith('https:')
  addJsonBodies(app)
  app.addHook('onRequest', (_request, reply, done) => {
    // No other site needs this API.
    for (const name of ['allow-origin', 'allow-credentials', 'expose-headers'])
      reply.removeHeader(`access-control-${name}`)
    reply.header('cache-control', 'no-store')
    done()
  })
  if (provider) addOidc(app, surroundings, provider)
  for (const [path, verbs] of Object.entries<Partial<Record<Verb, PublisherEndpoint>>>(endpoints))
    app.route({
      method: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'],
      url: `${root}${path}`,
      async handler(request, reply) {
        const verb = verbOf(request)
        const endpoint = endpointFor(verbs, verb)
        const params = request.params as Record<string, string>
        const visit = { ...surroundings, request, address: request.ip, params, body: bodyOf(request) }
        const answering = runEndpoint(visit, endpoint, needsConfirmation(path, verb))
        const said = await whileAlive(parts.database, answering, () => unavailable(undefined))
        return sendResult(reply, said, isSecure)
      },
    })
}

const verbOf = ({ method }: FastifyRequest) => (method === 'HEAD' ? 'GET' : method) as Verb

function endpointFor(verbs: Partial<Record<Verb, PublisherEndpoint>>, verb: Verb): PublisherEndpoint {
  const endpoint = verbs[verb]
  if (endpoint) return endpoint
  throw notPossible(verb, Object.keys(verbs).join(', '))
}

const needsConfirmation = (path: string, verb: Verb): boolean =>
  Object.hasOwn(confirmedEndpoints, path) &&
  (confirmedEndpoints[path as keyof PublisherAnswers] as readonly string[]).includes(verb)

const bodyOf = ({ body }: FastifyRequest) => (body as Readonly<Record<string, unknown>> | undefined) ?? {}

function sendResult(
  reply: FastifyReply,
  { body, status, cookie }: EndpointResult<unknown>,
  isSecure: boolean,
): FastifyReply {
  if (cookie !== undefined) reply.header('set-cookie', sessionCookie(cookie, isSecure))
  if (body === undefined) return reply.status(status ?? 204).send()
  return reply.status(status ?? 200).send(body)
}
