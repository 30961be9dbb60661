import { catalog, pathOf } from '@zoetrope/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { queryOf } from '../api/brackets.js'
import { credentialOf, identify } from '../api/credential.js'
import { channelInAddress } from '../api/dashboard-session.js'
import { mayDo, notAllowed } from '../auth/access.js'
import type { Credential } from '../auth/principals.js'
import { unavailable } from '../errors.js'
import { eventHorizon } from '../features/events/follow.js'
import { conditionsOf } from '../features/events/read.js'
import { positionIn } from '../features/events/request.js'
import { whileAlive } from '../lib/while-alive.js'
import { createActivityStreams, type Followed } from './activity-streams.js'
import { checkStreamLimits, streamHeaders } from './event-limits.js'
import type { Playback } from './playback.js'

const { events } = catalog

/** The events of a channel as a stream, for clients that accept one. */
export function addActivity(app: FastifyInstance, { parts }: Playback): void {
  const { database, principals } = parts
  const streams = createActivityStreams(parts)
  app.addHook('preClose', async () => streams.close())

  app.route({
    method: 'GET',
    url: pathOf(events, 'list'),
    constraints: { accept: 'events' },
    handler: async (request, reply) => {
      const credential = credentialOf(request, undefined, channelInAddress)
      const followed = await whileAlive(database, ask(request, credential), () => unavailable(undefined))
      if (request.method === 'HEAD') return reply.headers(streamHeaders).send()
      checkStreamLimits(streams, followed.principal.siteId)
      return reply.headers(streamHeaders).send(streams.follow(followed))
    },
  })

  async function ask(request: FastifyRequest, credential: Credential): Promise<Followed> {
    const principal = await identify(principals, credential)
    request.caller = principal
    if (!mayDo(principal, events, 'list')) throw notAllowed(principal, events, 'list')
    const scope = { site_id: principal.siteId }
    const last = request.headers['last-event-id']
    // A browser that reconnects sends its first address again, and the newest event that it knows.
    const query = { ...queryOf(request), ...(last ? { after: last } : {}) }
    conditionsOf({ resource: events, principal, scope, query })
    const after = await positionIn(database.db, principal.siteId, query, 'after')
    return { credential, principal, query, after: after ?? { xact: await eventHorizon(parts), id: '' } }
  }
}
