import type { Client } from '@zoetrope/sdk'

/** As many writes as the API takes in one batch. */
export const together = 100

/** A write that is sent together with others. */
export interface Write<T> {
  readonly item: T
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
}

export interface Failure<T> {
  readonly item: T
  readonly error: unknown
}

/** What a write has changed: the fields with their old and new values. */
export interface Change<T> {
  readonly item: T
  readonly previous: Readonly<Record<string, unknown>>
  readonly values: Readonly<Record<string, unknown>>
}

export interface Settled<T = string> {
  readonly done: readonly Change<T>[]
  readonly failures: readonly Failure<T>[]
  /** The events of all these writes, in the order in which they must be undone. */
  readonly events: readonly WrittenEvent<T>[]
}

export interface WrittenEvent<T> {
  readonly id: string
  readonly item: T
}

export type OnProgress = (done: number, all: number) => void

interface SendOptions {
  /** Tries the writes without making them. */
  readonly isTrial?: boolean
  readonly onProgress?: OnProgress
}

export const inPieces = <T>(items: readonly T[]): readonly T[][] =>
  Array.from({ length: Math.ceil(items.length / together) }, (_, index) =>
    items.slice(index * together, (index + 1) * together),
  )

export const nothingDone: Settled<never> = { done: [], failures: [], events: [] }

/** The outcomes of two lots of writes, the later one last. */
export const joined = <T>(a: Settled<T>, b: Settled<T>): Settled<T> => ({
  done: [...a.done, ...b.done],
  failures: [...a.failures, ...b.failures],
  events: [...b.events, ...a.events],
})

/** Sends writes in batches. Each write succeeds or fails by itself. */
export async function sendWrites<T>(
  client: Client,
  writes: readonly Write<T>[],
  { isTrial = false, onProgress }: SendOptions = {},
): Promise<Settled<T>> {
  let settled: Settled<T> = nothingDone
  for (const piece of inPieces(writes)) {
    settled = joined(settled, await sendPiece(client, piece, isTrial))
    onProgress?.(settled.done.length + settled.failures.length, writes.length)
  }
  return settled
}

async function sendPiece<T>(
  client: Client,
  writes: readonly Write<T>[],
  isTrial: boolean,
): Promise<Settled<T>> {
  try {
    const requests = writes.map(({ method, path, body = {} }) => ({ method, path, body: body as never }))
    const options = isTrial ? { query: { dry_run: true } } : {}
    const { results } = await client.batches.create({ requests }, options)
    const found = writes.flatMap(({ item }, index) => {
      const result = results[index]
      return result ? [{ item, ...result }] : []
    })
    const isDone = ({ message }: { readonly message: string | null }) => message === null
    return {
      done: found.filter(isDone),
      failures: found
        .filter((each) => !isDone(each))
        .map(({ item, message }) => ({ item, error: new Error(message ?? '') })),
      events: found.toReversed().flatMap(({ item, event_ids }) => event_ids.map((id) => ({ id, item }))),
    }
  } catch (error) {
    return { ...nothingDone, failures: writes.map(({ item }) => ({ item, error })) }
  }
}

/** The writes that undo events. */
export const undoWrites = <T>(events: readonly WrittenEvent<T>[]): readonly Write<T>[] =>
  events.map(({ id, item }) => ({ item, method: 'POST', path: `/events/${id}/undo` }))
