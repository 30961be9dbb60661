import { setTimeout as delay } from 'node:timers/promises'
import { endedPool } from './connection-error.js'
import { type DatabaseLink, type LinkOptions, openLink } from './link.js'

type OnMessage = (payload: string) => void

export interface Listening {
  /** Calls back for every message, and once with an empty one whenever messages may have been missed. */
  listen(channel: string, onMessage: OnMessage): Promise<void>
  close(): Promise<void>
}

const pauseMs = 250

/**
 * Listens on a connection of its own, and on the next one after it was lost. That one may take a while: after a fail-over the
 * address may lead to a server that cannot listen yet, because it can only be read.
 */
export function openListening(options: LinkOptions): Listening {
  const channels = new Map<string, OnMessage[]>()
  let isClosed = false
  let isRenewing = false
  let opened: Promise<DatabaseLink> | undefined

  function open(): Promise<DatabaseLink> {
    const link = openLink(options, {
      onNotification: (channel, payload) => {
        for (const tell of channels.get(channel) ?? []) tell(payload)
      },
    })
    link.then(
      async ({ ended }) => {
        await ended
        opened = undefined
        if (!isRenewing && !isClosed) void renew()
      },
      () => {
        opened = undefined
      },
    )
    return link
  }

  async function register(channel: string): Promise<void> {
    if (isClosed) throw endedPool()
    opened ??= open()
    const link = await opened
    const text = `listen "${channel.replaceAll('"', '""')}"`
    await link.send({ text, values: [], isPrepared: false, isRaw: false })
  }

  /** Returns whether all channels are registered on one connection. */
  async function registerAll(): Promise<boolean> {
    try {
      opened ??= open()
      const link = await opened
      for (const channel of channels.keys()) await register(channel)
      return !link.loss
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
      await opened?.then(
        (link) => link.close(),
        () => {},
      )
    },
  }
}
