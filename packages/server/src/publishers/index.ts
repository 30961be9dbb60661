import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { longestDays } from '../auth/publisher-sessions.js'
import { ApiError, unavailable } from '../errors.js'
import { cookieName } from '../http/dashboard-session.js'
import { whileAlive } from '../http/while-alive.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import type { Parts } from '../resources/feature.js'
import { admit } from './admit.js'
import { addJsonBodies } from './json-body.js'
import { showSession, signIn, signOut } from './session.js'
import { endSessions, listSessions } from './sessions.js'
import { anyone, type Endpoint, type Said, signedIn } from './visit.js'

type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The dashboard's own API. Everything else it does, it does through the API that everybody has. */
export const endpoints: Readonly<Record<string, Partial<Readonly<Record<Verb, Endpoint>>>>> = {
  '/session': { GET: signedIn(showSession), POST: anyone(signIn), DELETE: signedIn(signOut) },
  '/sessions': { GET: signedIn(listSessions), DELETE: signedIn(endSessions) },
}

export const root = '/dashboard/api'

/** Those who run a channel sign in here, and do what only people do. JSON, from pages of the same origin. */
export function addPublishers(app: FastifyInstance, parts: Parts, media: MediaParts): void {
  const isSecure = parts.apiUrl.startsWith('https:')
  addJsonBodies(app)
  app.addHook('onRequest', (_request, reply, done) => {
    // Other sites have no business here.
    for (const name of ['allow-origin', 'allow-credentials', 'expose-headers'])
      reply.removeHeader(`access-control-${name}`)
    reply.header('cache-control', 'no-store')
    done()
  })
  for (const [path, verbs] of Object.entries(endpoints))
    app.route({
      method: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'],
      url: `${root}${path}`,
      async handler(request, reply) {
        const endpoint = endpointFor(verbs, request)
        const answering = admit({ parts, media, request, body: bodyOf(request) }, endpoint)
        const said = await whileAlive(parts.database.db, answering, () => unavailable(undefined))
        return send(reply, said, isSecure)
      },
    })
}

function endpointFor(verbs: Partial<Record<Verb, Endpoint>>, { method }: FastifyRequest): Endpoint {
  const endpoint = verbs[(method === 'HEAD' ? 'GET' : method) as Verb]
  if (endpoint) return endpoint
  const allow = Object.keys(verbs).join(', ')
  throw new ApiError(405, `${method} is not possible here. Possible: ${allow}.`, { headers: { allow } })
}

const bodyOf = ({ body }: FastifyRequest) => (body as Readonly<Record<string, unknown>> | undefined) ?? {}

function send(reply: FastifyReply, { body, status, cookie }: Said, isSecure: boolean): FastifyReply {
  if (cookie !== undefined) reply.header('set-cookie', cookieOf(cookie, isSecure))
  if (body === undefined) return reply.status(status ?? 204).send()
  return reply.status(status ?? 200).send(body)
}

const daySeconds = 86_400

function cookieOf(token: string, isSecure: boolean): string {
  const age = token === '' ? 0 : longestDays * daySeconds
  const parts = [`${cookieName}=${token}`, 'Path=/', `Max-Age=${age}`, 'HttpOnly', 'SameSite=Lax']
  return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ')
}
