import { apiVersions, newestVersion } from '@zoetrope/contract'
import type { FastifyInstance } from 'fastify'
import { invalid } from '../errors.js'

const known: ReadonlySet<unknown> = new Set(apiVersions)

/** Names the version of the API in every answer, and refuses requests for one that does not exist. */
export function addVersions(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const asked = request.headers['zoetrope-version']
    reply.header('zoetrope-version', asked !== undefined && known.has(asked) ? asked : newestVersion)
    if (asked === undefined || known.has(asked)) return done()
    done(
      invalid(
        `Zoetrope-Version must be ${apiVersions.join(' or ')}. Without the header it is ${newestVersion}.`,
        {
          'Zoetrope-Version': ['is not known'],
        },
      ),
    )
  })
}
