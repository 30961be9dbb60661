import { publishes } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import { actorOf } from '../auth/actor.js'
import { nameActor } from '../db/acting-as.js'
import { boundTo } from '../db/bound-database.js'
import type { Db } from '../db/database.js'
import { isLockTimeout } from '../db/violation.js'
import { ApiError, forbidden, invalid } from '../errors.js'
import { createCaches } from '../lib/caches.js'
import { createTurns } from '../lib/in-turn.js'
import type { Sealer } from '../lib/sealing.js'
import type { Parts } from '../resources/feature.js'
import { flagIn } from '../resources/projection.js'
import { queryOf, type Tree } from './brackets.js'
import { type Exchange, isConditional } from './exchange.js'
import { formatOf } from './format.js'

/** The answer to a write, as it is sent. */
export interface WrittenAnswer {
  readonly status: number
  /** The record that its path names; empty if it names none. */
  readonly recordId?: string
  readonly type?: string
  readonly body?: string | Buffer
  /** What a repeated request gets instead, if the body has secrets that are shown once. */
  readonly bodyAgain?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

type Perform = (exchange: Exchange) => Promise<WrittenAnswer>
export type Effect = () => unknown

/** Thrown and caught here: undoes a transaction that was only a trial. */
class Trial extends Error {
  readonly answer: WrittenAnswer

  constructor(answer: WrittenAnswer) {
    super('This was a dry run.')
    this.answer = answer
  }
}

const busy = () =>
  new ApiError(
    503,
    'Too many batches and writes with an Idempotency-Key arrived at once. Try again in a moment.',
    {
      headers: { 'Retry-After': '1' },
    },
  )

/**
 * Such a write keeps its connection to the database until its answer is made, even while a password is hashed. So few run
 * at once, and viewers never delay publishers.
 */
const turns = createTurns(4, 256, busy)
const turnsOfCaller = createTurns(2, 64, busy)

/** A batch takes much longer than other writes, which never wait for it. */
const batches = createTurns(2, 64, busy)
const batchesOfChannel = createTurns(1, 16, busy)

/**
 * Performs a write. With an Idempotency-Key, its answer is stored in the transaction of the write, and a repeated request
 * gets that answer. With If-Match, it is checked in that transaction. With dry_run, the transaction is undone.
 */
export async function performOnce(exchange: Exchange, perform: Perform): Promise<WrittenAnswer> {
  const key = keyIn(exchange.request)
  const isTrial = isDryRun(exchange)
  const { resource, endpoint } = exchange
  const isAtomic = resource.atomic || resource.actions[endpoint.name]?.atomic === true
  const { principal, request } = exchange
  if (key === undefined && !isTrial && !isAtomic && !isConditional(request)) return perform(exchange)
  // Undone, a write could be repeated without end.
  if (isTrial && !publishes(principal.kind)) throw forbidden('Only publishers may try a write with dry_run.')
  request.isDoneOnce = key !== undefined
  const performTurn = () => performInOne(exchange, perform, key, isTrial)
  if (resource.atomic) return batchesOfChannel(principal.siteId, () => batches('', performTurn))
  const group = publishes(principal.kind) ? 'publishers' : 'viewers'
  const caller = `${principal.siteId} ${principal.consumerId ?? actorOf(principal)}`
  return turnsOfCaller(caller, () => turns(group, performTurn))
}

async function performInOne(
  exchange: Exchange,
  perform: Perform,
  key: string | undefined,
  isTrial: boolean,
): Promise<WrittenAnswer> {
  const effects: Effect[] = []
  try {
    const answer = await exchange.parts.database.transaction(async (tx) => {
      // It may be tried again after a deadlock.
      effects.length = 0
      return isTrial ? tryOut(exchange, tx, perform) : replayOrPerform(exchange, tx, effects, key, perform)
    })
    for (const effect of effects) await effect()
    return answer
  } catch (error) {
    if (error instanceof Trial) return { ...error.answer, headers: { 'dry-run': 'true' } }
    throw error
  }
}

async function tryOut(exchange: Exchange, tx: Db, perform: Perform): Promise<never> {
  const answer = await perform({ ...exchange, parts: boundParts(exchange.parts, tx, []) })
  await tx`set constraints all immediate`
  throw new Trial(answer)
}

async function replayOrPerform(
  exchange: Exchange,
  tx: Db,
  effects: Effect[],
  key: string | undefined,
  perform: Perform,
): Promise<WrittenAnswer> {
  const { parts, principal, request } = exchange
  const caller = actorOf(principal)
  const named = nameActor(tx, { name: caller, requestId: request.id })
  const performBound = () => perform({ ...exchange, parts: boundParts(parts, tx, effects) })
  if (key === undefined) return performBound()
  const claim = { site_id: principal.siteId, caller, key }
  const digest = digestOf(exchange)
  const earlier = await claimKey(tx, claim, digest).catch((error: unknown) => {
    throw isLockTimeout(error) ? stillRunning(error) : error
  })
  await named
  if (earlier) return replay(parts.sealer, earlier, digest)
  const answer = await withEvents(exchange, tx, await performBound())
  const body = parts.sealer.seal(String(answer.bodyAgain ?? answer.body ?? ''))
  await tx`
    update idempotent_requests set status = ${answer.status}, content_type = ${answer.type ?? null}, body = ${body},
      event_ids = ${answer.headers?.['event-id'] ?? null}
    where site_id = ${claim.site_id} and caller = ${caller} and key = ${key}
  `
  return answer
}

/** Names the events of the record that the request was about, so that its caller can undo it. */
async function withEvents(exchange: Exchange, tx: Db, answer: WrittenAnswer): Promise<WrittenAnswer> {
  const { resource, principal, routes } = exchange
  const events = await routes.findEvents(tx, principal.siteId, resource, answer.recordId ?? '')
  const ids = events.map(({ _id }) => _id).join(', ')
  return ids === '' ? answer : { ...answer, headers: { 'event-id': ids } }
}

/**
 * Parts that work within a transaction. What only makes sense after its commit is collected: a list that is read again
 * before that would be remembered without the change.
 */
export function boundParts(parts: Parts, tx: Db, effects: Effect[]): Parts {
  const { database, freshness, principals } = parts
  const later = (effect: Effect) => void effects.push(effect)
  return {
    ...parts,
    database: boundTo(database, tx),
    replica: undefined,
    // What is read within the transaction may never be true for others.
    cache: createCaches(),
    freshness: {
      ...freshness,
      saw: () => {},
      touch: (siteId, list) => later(() => freshness.touch(siteId, list)),
      due: () => false,
      settle: async () => {},
      reschedule: async () => later(() => freshness.reschedule()),
    },
    principals: { ...principals, forget: (who) => later(() => principals.forget(who)) },
    afterCommit: later,
  }
}

interface EarlierRequest {
  readonly digest: Buffer
  readonly status: number
  readonly content_type: string | null
  readonly body: Buffer
  readonly event_ids: string | null
}

async function claimKey(
  tx: Db,
  { site_id, caller, key }: { readonly site_id: string; readonly caller: string; readonly key: string },
  digest: Buffer,
): Promise<EarlierRequest | undefined> {
  const [row] = await tx<EarlierRequest[]>`
    select digest, status, content_type, body, event_ids
    from claim_request(${site_id}, ${caller}, ${key}, ${digest}) where digest is not null
  `
  return row
}

function replay(sealer: Sealer, earlier: EarlierRequest, digest: Buffer): WrittenAnswer {
  if (!earlier.digest.equals(digest))
    throw invalid('This Idempotency-Key was used for another request. Use a new key for each request.')
  const body = sealer.unseal(earlier.body)
  return {
    status: earlier.status,
    ...(earlier.content_type === null ? {} : { type: earlier.content_type, body }),
    headers: {
      'idempotent-replayed': 'true',
      ...(earlier.event_ids === null ? {} : { 'event-id': earlier.event_ids }),
    },
  }
}

const stillRunning = (cause: unknown) =>
  new ApiError(409, 'The first request with this Idempotency-Key is still running. Try again in a moment.', {
    headers: { 'Retry-After': '1' },
    cause,
  })

/** Visible ASCII, as in the draft of the standard; quotes around it belong to it. */
const keyPattern = /^[\x21-\x7e]{1,255}$/

function keyIn({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && keyPattern.test(key)) return key
  throw invalid('An Idempotency-Key has 1 to 255 visible ASCII characters, without spaces.')
}

type MayBeTrial = Pick<Exchange, 'request'> & { readonly fields: Pick<Exchange['fields'], 'tree'> }

const isDryRun = ({ request, fields }: MayBeTrial): boolean =>
  flagIn({ dry_run: queryOf(request).dry_run ?? fields.tree.dry_run }, 'dry_run')

/**
 * A file takes longer to arrive than a transaction may take, so a request with one can be neither tried nor repeated. It is
 * refused, because its sender would believe that nothing was changed, or that it was done once.
 */
export function refuseWithFile(request: FastifyRequest, fields: Tree): void {
  if (isDryRun({ request, fields: { tree: fields } }))
    throw invalid(
      'dry_run is not possible for a request with a file. Leave the file out to try its fields.',
      {
        dry_run: ['is not possible for a request with a file'],
      },
    )
  if (request.headers['idempotency-key'] !== undefined)
    throw invalid(
      'Idempotency-Key is not possible for a request with a file. A resumable upload can be continued when an answer was lost.',
    )
}

const credentials = ['api_key', 'app_key', 'access_token', 'upload_token']

/**
 * The same for the same request, even if the caller repeats it with another credential. The body may hold a password,
 * which a digest without a key would let others guess.
 */
function digestOf({ request, endpoint, fields, parts }: Exchange): Buffer {
  const [path] = request.url.split('?')
  const without = (given: object) => Object.entries(given).filter(([name]) => !credentials.includes(name))
  const content = [
    request.method,
    path,
    endpoint.name,
    formatOf(request),
    without(queryOf(request)),
    without(fields.tree),
  ]
  return parts.sealer.digest(`request ${JSON.stringify(content)}`)
}
