import { setTimeout as delay } from 'node:timers/promises'
import type postgres from 'postgres'

type OnMessage = (payload: string) => void

export interface Listening {
  /** Calls back for every message, and once with an empty one whenever messages may have been missed. */
  listen(channel: string, onMessage: OnMessage): Promise<void>
  close(): Promise<void>
}

/** The options of the driver that tell what happens on a connection. They are missing in its types. */
export interface ConnectionHooks {
  readonly onnotify: (channel: string, payload: string) => void
  readonly onclose: () => void
}

const pauseMs = 250

/**
 * Listens on a connection of its own. The driver could do it too, but it gives up on a channel that it cannot register
 * again: after a fail-over the address may lead to a server that cannot listen yet, because it can only be read.
 */
export function openListening(
  connect: (hooks: ConnectionHooks) => postgres.Sql<Record<string, never>>,
): Listening {
  const channels = new Map<string, OnMessage[]>()
  let isClosed = false
  let lost = 0
  let isRenewing = false
  const sql = connect({
    onnotify: (channel, payload) => {
      for (const tell of channels.get(channel) ?? []) tell(payload)
    },
    onclose: () => {
      lost += 1
      if (!isRenewing) void renew()
    },
  })
  const register = (channel: string) => sql.unsafe(`listen "${channel.replaceAll('"', '""')}"`)

  /** Returns whether all channels are registered on one connection. */
  async function registerAll(): Promise<boolean> {
    const before = lost
    try {
      for (const channel of channels.keys()) await register(channel)
      return before === lost
    } catch {
      await delay(pauseMs, undefined, { ref: false })
      return false
    }
  }

  /** Registers everything again, and tells the listeners that they may have missed something. */
  async function renew(): Promise<void> {
    isRenewing = true
    while (!isClosed && !(await registerAll()));
    isRenewing = false
    if (isClosed) return
    for (const tell of [...channels.values()].flat()) tell('')
  }

  return {
    async listen(channel, onMessage) {
      await register(channel)
      channels.set(channel, [...(channels.get(channel) ?? []), onMessage])
      onMessage('')
    },
    async close() {
      isClosed = true
      await sql.end({ timeout: 5 })
    },
  }
}
