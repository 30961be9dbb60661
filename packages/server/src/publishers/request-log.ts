import { type CallerKind, roles } from '@zoetrope/contract'
import type { FastifyInstance } from 'fastify'
import { authorOf } from '../auth/actor.js'
import type { Db } from '../db/database.js'
import type { TellAnswered } from '../edge/answered.js'
import { newId } from '../lib/object-id.js'

interface RequestEntry {
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
/**
 * How many requests each process records between two writes, so that a flood is visible but not stored in
 * full.
 */
const mostGathered = 500
const longestPath = 300

const isPerson = (kind: CallerKind) => Object.hasOwn(roles, kind)

/** Records the requests of apps and scripts and writes them in batches, so that no request waits. Returns what records. */
export function addRequestLog(app: FastifyInstance, db: Db): TellAnswered {
  let gathered: RequestEntry[] = []

  async function flush(): Promise<void> {
    const entries = gathered
    if (entries.length === 0) return
    gathered = []
    // The channel may have been deleted in the meantime.
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
  return ({ request, path, status, ms }) => {
    const { caller } = request
    if (!caller || gathered.length >= mostGathered || isPerson(caller.kind)) return
    gathered.push({
      _id: newId(),
      site_id: caller.siteId,
      created_at: new Date(),
      method: request.method,
      path: path.slice(0, longestPath),
      status,
      ms: Math.round(ms),
      credential: authorOf(caller),
      request_id: request.id,
    })
  }
}
