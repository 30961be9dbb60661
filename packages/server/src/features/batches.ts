import { ApiError } from '../errors.js'
import { newId } from '../lib/object-id.js'
import type { Answer, InnerOutcome } from '../resources/feature.js'
import { answer } from '../resources/standard.js'
import type { Values } from '../resources/store.js'
import type { CallOf } from './call-of.js'
import { eventsOfWrite } from './events/of-write.js'
import { type EventRow, eventRecords } from './events/record.js'

/** A batch holds a connection and locks all the while. */
const longestMs = 15_000
const tooLong = () =>
  new ApiError(
    503,
    'The batch took longer than 15 seconds, so nothing was changed. Send fewer writes in each.',
  )

interface BatchedWrite {
  readonly outcome: InnerOutcome
  /** The events of its record, the newest first. */
  readonly events: readonly EventRow[]
}

/** Performs several writes one after the other. Each succeeds or fails by itself. */
export async function performBatch(call: CallOf<'batches', 'create'>): Promise<Answer> {
  const { parts, scope, body, perform } = call
  if (!perform) throw new Error('A batch needs a request around it.')
  const { db } = parts.database
  const done: BatchedWrite[] = []
  const begun = performance.now()
  for (const { method, path, body: fields } of body.requests) {
    if (performance.now() - begun > longestMs) throw tooLong()
    const outcome = await perform({ method: String(method), path: String(path), body: fields ?? {} })
    const events = outcome.error ? [] : await eventsOfWrite(db, scope.site_id, outcome.resource, outcome.id)
    done.push({ outcome, events })
  }
  const rows = done.flatMap(({ events }) => events)
  const records = await eventRecords(db, scope.site_id, rows)
  const states = new Map(rows.map(({ _id }, index) => [_id, JSON.parse(records[index] ?? '{}')]))
  const now = new Date().toISOString()
  return answer(
    JSON.stringify({
      _id: newId(),
      site_id: scope.site_id,
      created_at: now,
      updated_at: now,
      results: done.map((written) => resultOf(written, states)),
    }),
  )
}

function resultOf({ outcome, events }: BatchedWrite, states: ReadonlyMap<string, ChangedState>) {
  const { error, status } = outcome
  const found = events.flatMap(({ _id }) => states.get(_id) ?? [])
  // If there are several, the oldest has the values before all of them.
  const previous: Values = Object.assign({}, ...found.map((each) => each.previous))
  const data = found[0]?.data ?? {}
  return {
    status,
    record_id: events[0]?.record_id ?? null,
    event_ids: events.map(({ _id }) => _id),
    previous,
    values: Object.fromEntries(Object.keys(previous).map((name) => [name, data[name] ?? null])),
    message: error?.message ?? null,
    errors: error?.fields ?? {},
  }
}

interface ChangedState {
  readonly data: Values
  readonly previous: Values
}
