import { type CallerKind, roles } from '@zoetrope/contract'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/database.js'
import { withoutCredential } from '../http/logging.js'
import { newId } from '../lib/object-id.js'

interface Entry {
  readonly _id: string
  readonly site_id: string
  readonly created_at: Date
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ms: number
  readonly credential: string
  readonly request_id: string
}

const flushMs = 2000
/** As many of a process are noted between two writes: a flood is seen without being written down whole. */
const mostGathered = 500
const longestPath = 300

const isPerson = (kind: CallerKind) => Object.hasOwn(roles, kind)

/** Notes the requests of apps and scripts, written together some time later: no request waits for it. */
export function addRequestLog(app: FastifyInstance, db: Db): void {
  let gathered: Entry[] = []

  async function flush(): Promise<void> {
    const entries = gathered
    if (entries.length === 0) return
    gathered = []
    // A channel may have been removed meanwhile.
    await db`
      insert into request_log
      select noted.* from jsonb_populate_recordset(null::request_log, ${JSON.stringify(entries)}::text::jsonb) as noted
      join channels on channels._id = noted.site_id
    `.catch((error: unknown) => app.log.warn({ err: error }, 'The request log could not be written'))
  }

  const ticking = setInterval(() => void flush(), flushMs).unref()
  app.addHook('onClose', async () => {
    clearInterval(ticking)
    await flush()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { caller } = request
    if (!caller || gathered.length >= mostGathered || isPerson(caller.kind)) return done()
    gathered.push({
      _id: newId(),
      site_id: caller.siteId,
      created_at: new Date(),
      method: request.method,
      path: withoutCredential(request.url.split('?', 1)[0] ?? '').slice(0, longestPath),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      credential: caller.kind,
      request_id: request.id,
    })
    done()
  })
}
