import { eventSubjects, limits } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { type ApiError, couldNotSave, invalid, notFound } from '../errors.js'
import { checkFetched } from '../fetching/target.js'
import type { Call, Parts, Run } from '../resources/feature.js'
import { answer } from '../resources/standard.js'
import { find, insert, update } from '../resources/store.js'
import { matchesAnyEvent } from '../webhooks/pattern.js'
import { newWebhookSecret } from '../webhooks/signature.js'
import type { CallOf } from './call-of.js'
import { checkNumber } from './check-number.js'
import { fill } from './derived.js'

const mostWebhooks = limits.webhooks.value
const tooManyWebhooks = `A channel has at most ${mostWebhooks} webhooks. Remove one that is no longer used first.`

type WebhookBody = CallOf<'webhooks', 'create' | 'update'>['body']

/** Creates a webhook. Only this response and that of a rotation contain the secret. */
async function createWebhook({ parts, resource, scope, body }: CallOf<'webhooks', 'create'>) {
  const values = checked(body, parts)
  const secret = newWebhookSecret()
  const record = await parts.database.transaction(async (tx) => {
    await checkNumber(tx, 'webhooks', scope, mostWebhooks, tooManyWebhooks)
    return insert(tx, resource, scope, { ...values, sealed_secret: parts.sealer.seal(secret) })
  })
  return fill(answer(record), { secret })
}

/** Updates a webhook. Switched on again, or with another address, it has no failures. */
const updateWebhook: Run<WebhookBody> = async ({ parts, resource, scope, id, body }) => {
  const resumed =
    body.active || body.url ? { failing_since: null, failing_days: 0, last_failed_on: null } : {}
  const reason = body.active ? { switched_off_reason: null } : {}
  const record = await update(parts.database.db, resource, scope, id, {
    ...checked(body, parts),
    ...resumed,
    ...reason,
  })
  if (!record) throw notFound(resource.name)
  return answer(record)
}

const overlapSeconds = 86_400

/** Replaces the secret. Until the end of the overlap, deliveries are signed with both. */
async function rotateSecret({ parts, resource, scope, id }: Call) {
  const { database, sealer } = parts
  const secret = newWebhookSecret()
  const record = await database.transaction(async (tx) => {
    await tx`
      update webhooks set previous_secret = sealed_secret, sealed_secret = ${sealer.seal(secret)},
        previous_secret_until = now() + make_interval(secs => ${overlapSeconds}), updated_at = now()
      where site_id = ${scope.site_id} and _id = ${id}
    `
    return find(tx, resource, scope, id)
  })
  if (!record) throw notFound(resource.name)
  return fill(answer(record), { secret })
}

const pattern = /^(\*|[a-z_*]+(\.[a-z_*]+)?)$/

function checked(body: WebhookBody, { allows }: Parts) {
  checkFetched(body.url, allows.receiver, 'url', 'WEBHOOK_NETWORKS')
  if (body.events?.length === 0) throw couldNotSave('webhook', 'events', 'must have at least one')
  const wrong = body.events?.find((event) => !pattern.test(event))
  if (wrong !== undefined)
    throw couldNotSave(
      'webhook',
      'events',
      `has ${wrong}, which is neither a type of event nor a pattern such as video.*`,
    )
  const unknown = body.events?.find((event) => !matchesAnyEvent(event))
  if (unknown !== undefined)
    throw couldNotSave(
      'webhook',
      'events',
      `has ${unknown}, which matches no type of event${hintFor(unknown)}`,
    )
  return {
    ...body,
    ...(body.url ? { url: withPlainHost(body.url) } : {}),
    ...(body.events ? { events: [...new Set(body.events)] } : {}),
  }
}

/** The address, rewritten if its host is not written as it is connected to: deliveries to one host are bounded together. */
function withPlainHost(url: string): string {
  const { protocol, hostname, href } = new URL(url)
  const start = `${protocol}//${hostname}`
  const isPlain = url.toLowerCase().startsWith(start) && /^([/?#:]|$)/.test(url.slice(start.length))
  return isPlain ? url : href
}

function hintFor(event: string): string {
  const [first = '', second] = event.split('.')
  if (!eventSubjects.some((subject) => subject === first)) return ''
  return second === undefined
    ? `: write ${first}.* for all of its types`
    : `: ${first}.* matches all of its types`
}

/** Nothing is sent to a webhook that is switched off, so what asks for it is refused. */
async function checkActive(tx: Db, site_id: string, webhook_id: string | undefined): Promise<void> {
  const off = await tx`
    select from webhooks where site_id = ${site_id} and _id = ${webhook_id ?? ''} and not active
  `
  if (off.length > 0)
    throw invalid(
      'The webhook is switched off. Switch it on first: set active to true, or use its page in the dashboard.',
    )
}

/** Sends an event to this webhook only, whatever types it takes. */
async function testWebhook({ parts, resource, scope, id }: Call) {
  const record = await parts.database.transaction(async (tx) => {
    const found = await find(tx, resource, scope, id)
    if (!found) throw notFound(resource.name)
    await checkActive(tx, scope.site_id, id)
    await tx`
      select add_change(
        ${scope.site_id}, 'webhook.test', 'webhooks', ${id},
        hstore(jsonb_populate_record(null::webhooks, ${found}::text::jsonb))
      )
    `
    await tx`
      insert into webhook_deliveries (_id, site_id, webhook_id, event_id, event_type, next_attempt_at)
      select delivery_id(_id, record_id), site_id, record_id, _id, type, now() from events
      where site_id = ${scope.site_id} and record_id = ${id} and type = 'webhook.test' and xact = pg_current_xact_id()
      on conflict do nothing
    `
    return found
  })
  return answer(record)
}

const mostWaiting = limits.waiting_deliveries.value
const mostReplayed = limits.replayed_events.value

async function checkWaiting(tx: Db, site_id: string): Promise<void> {
  const [{ count } = { count: 0 }] = await tx<{ count: number }[]>`
    select count(*)::int as count from (
      select from webhook_deliveries where site_id = ${site_id} and status = 'waiting' limit ${mostWaiting}
    ) as waiting
  `
  if (count >= mostWaiting)
    throw invalid(
      `${mostWaiting} deliveries of this channel are waiting already. Try again when they are sent.`,
    )
}

/** Says where the first range ends that is not too long. It may have fewer events for this webhook, never more. */
async function tooManyEvents(tx: Db, site_id: string, from: string): Promise<ApiError> {
  const [last] = await tx<{ created_at: Date }[]>`
    select created_at from events
    where site_id = ${site_id} and type is not null and created_at >= ${from}
    order by created_at offset ${mostReplayed - 1} limit 1
  `
  const to = last?.created_at.toISOString() ?? from
  return invalid(
    `These are more than ${mostReplayed} events. Send to=${to} first, and then from=${to} for those after it.`,
    { to: [`is at most ${to} for this from`] },
  )
}

/** Sends the events of a range of time again. Receivers recognise those that they know by their ids. */
async function replayEvents({ parts, resource, scope, id, body }: CallOf<'webhooks', 'replay'>) {
  const { from, failed_only = false } = body
  const to = body.to ?? new Date().toISOString()
  if (new Date(from) > new Date(to)) throw invalid('from is after to.', { from: ['must not be after to'] })
  const count = await parts.database.transaction(async (tx) => {
    if (!(await find(tx, resource, scope, id))) throw notFound(resource.name)
    await checkActive(tx, scope.site_id, id)
    await checkWaiting(tx, scope.site_id)
    const { count } = await tx`
      insert into webhook_deliveries (_id, site_id, webhook_id, event_id, event_type, next_attempt_at)
      select delivery_id(events._id, webhooks._id), webhooks.site_id, webhooks._id, events._id, type, now()
      from webhooks join events using (site_id)
      where site_id = ${scope.site_id} and webhooks._id = ${id} and event_matches(type, webhooks.events)
        and type <> 'webhook.test' and events.created_at >= ${from} and events.created_at <= ${to}
        and not (${failed_only} and exists (
          select from webhook_deliveries as known
          where known.site_id = webhooks.site_id and known.webhook_id = webhooks._id
            and known._id = delivery_id(events._id, webhooks._id) and known.status <> 'failed'
        ))
      limit ${mostReplayed + 1}
      on conflict on constraint webhook_deliveries_pkey do update set
        status = 'waiting', attempt_count = 0, next_attempt_at = now(), updated_at = now()
    `
    if (count > mostReplayed) throw await tooManyEvents(tx, scope.site_id, from)
    return count
  })
  return {
    json: JSON.stringify({ message: `${count} ${count === 1 ? 'event is' : 'events are'} sent again.` }),
  }
}

/** Sends one delivery again, with all its attempts. */
async function retryDelivery({ parts, resource, scope, id }: Call) {
  const again = {
    status: 'waiting',
    attempt_count: 0,
    next_attempt_at: new Date(),
  }
  const record = await parts.database.transaction(async (tx) => {
    await checkActive(tx, scope.site_id, scope.webhook_id)
    return update(tx, resource, scope, id, again)
  })
  if (!record) throw notFound(resource.name)
  return answer(record)
}

export const webhookFeatures = {
  webhooks: {
    operations: { create: createWebhook, update: updateWebhook },
    actions: { test: testWebhook, rotate_secret: rotateSecret, replay: replayEvents },
  },
  webhook_deliveries: { actions: { retry: retryDelivery } },
} as const
