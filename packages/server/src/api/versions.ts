import { apiVersions, newestVersion } from '@zoetrope/contract'
import type { FastifyInstance } from 'fastify'
import { invalid, invalidParameter } from '../errors.js'
import { readFlag } from '../lib/read-scalar.js'

const known: ReadonlySet<unknown> = new Set(apiVersions)

/** Names the version of the API in every answer. Refuses requests for one that does not exist, and unclear strictness. */
export function addVersions(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const asked = request.headers['zoetrope-version']
    reply.header('zoetrope-version', asked !== undefined && known.has(asked) ? asked : newestVersion)
    const { 'zoetrope-strict': strict } = request.headers
    if (strict && readFlag(String(strict)) === undefined)
      return done(invalidParameter('Zoetrope-Strict', 'must be 1 or 0'))
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
