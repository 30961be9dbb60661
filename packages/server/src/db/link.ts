import { Socket } from 'node:net'
import { Client, type ClientConfig, type QueryConfig, type QueryResult } from 'pg'
import { type ConnectionError, failedConnect, lossIn } from './connection-error.js'
import type { SentStatement, StatementRows } from './statement.js'
import type { StatementNames } from './statement-names.js'
import { leaveAsText, readTypes } from './values.js'
import { isStalePlan } from './violation.js'

/** One connection: one session of PostgreSQL, never another. */
export interface DatabaseLink {
  /** Statements that were sent and not answered. */
  readonly pending: number
  /** Why it cannot be used any more. */
  readonly loss: ConnectionError | undefined
  /** Resolves when it is lost or closed. */
  readonly ended: Promise<ConnectionError>
  send(statement: SentStatement): Promise<StatementRows>
  /** Says goodbye after the last answer. */
  close(): Promise<void>
  destroy(): void
}

export interface LinkOptions {
  readonly config: ClientConfig
  /** Settings of the session. */
  readonly settings: Readonly<Record<string, string>>
  readonly names: StatementNames
}

export interface LinkEvents {
  /** It was lost, or closed by us. */
  readonly onEnd?: () => void
  /** A statement was answered. */
  readonly onAnswer?: () => void
  readonly onNotification?: (channel: string, payload: string) => void
}

/** Opens a connection. */
export async function openLink(
  { config, settings, names }: LinkOptions,
  events: LinkEvents,
): Promise<DatabaseLink> {
  const socket = new Socket()
  const client = new Client({
    ...config,
    types: readTypes,
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 60_000,
    stream: () => socket,
  })
  const state = { pending: 0, loss: undefined as ConnectionError | undefined }
  let tellEnd = (_: ConnectionError) => {}
  const ended = new Promise<ConnectionError>((resolve) => {
    tellEnd = resolve
  })
  const lose = (error: Error) => {
    if (state.loss) return
    state.loss = lossIn(error)
    if (!state.loss) return
    socket.destroy()
    tellEnd(state.loss)
    events.onEnd?.()
  }
  // Without a listener an error would end the process. Statements that wait for an answer are rejected as well.
  client.on('error', lose)
  client.on('end', () => lose(new Error('it was closed')))
  client.on('notification', ({ channel, payload }) => events.onNotification?.(channel, payload ?? ''))
  try {
    await client.connect()
    await applySettings(client, settings)
  } catch (error) {
    socket.destroy()
    throw failedConnect(error as Error)
  }
  let isGathering = false
  /** Statements of the same moment leave in one packet. */
  const gather = () => {
    if (isGathering) return
    isGathering = true
    socket.cork()
    setImmediate(() => {
      isGathering = false
      socket.uncork()
    })
  }
  const session = (client as unknown as { processID: number }).processID
  return {
    get pending() {
      return state.pending
    },
    get loss() {
      return state.loss
    },
    ended,
    send: ({ text, values, isPrepared, isRaw }) =>
      new Promise((resolve, reject) => {
        if (state.loss) return reject(state.loss)
        state.pending += 1
        const name = isPrepared ? names.nameOf(text) : undefined
        const query: QueryConfig = { text, values: values as unknown[], name }
        if (isRaw) Object.assign(query, { rowMode: 'array', types: leaveAsText })
        const onAnswer = (error: Error | null, result: QueryResult | QueryResult[]) => {
          state.pending -= 1
          if (error) {
            lose(error)
            if (name !== undefined && isStalePlan(error)) names.retire(name)
            reject(lossIn(error) ?? error)
          } else resolve(rowsIn(result, session))
          events.onAnswer?.()
        }
        gather()
        // With a callback it returns nothing, and makes no promise.
        void client.query(query, onAnswer)
      }),
    close: () => endWithin(client, socket),
    destroy() {
      socket.destroy()
    },
  }
}

const goodbyeMs = 1000

/** Says goodbye. A server that does not answer, because it is frozen or out of reach, is left. */
export async function endWithin(client: Client, socket: Socket): Promise<void> {
  const timer = setTimeout(() => socket.destroy(), goodbyeMs)
  await client.end().finally(() => clearTimeout(timer))
}

/** They are no part of the greeting: poolers refuse those that they do not know. */
async function applySettings(client: Client, settings: Readonly<Record<string, string>>): Promise<void> {
  const names = Object.keys(settings)
  const text = names.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, false)`).join(', ')
  await client.query(`select ${text}`, Object.entries(settings).flat())
}

/** The rows of the last statement, if there were several in one text. */
function rowsIn(result: QueryResult | QueryResult[], session: number): StatementRows {
  const last = Array.isArray(result) ? result.at(-1) : result
  const rows = last?.rows ?? []
  return Object.defineProperties(rows, {
    count: { value: last?.rowCount ?? 0 },
    session: { value: session },
  }) as unknown as StatementRows
}
