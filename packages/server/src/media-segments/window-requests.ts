import type { Database } from '../db/database.js'
import { type WindowKey, windowName } from './window-leases.js'

/**
 * Requests for windows are sent between processes as notifications: nothing is stored, and nothing has to be
 * cleaned up.
 */
const channel = 'window_wishes'
const aliveMs = 10_000
const knownMs = 1000
/** A request expires after this time unless it is repeated. */
const lapseMs = 4000
const mostHeard = 2000

/** Has windows made by other processes. */
export interface Elsewhere {
  /**
   * Requests a window; returns whether any process that could make it is alive. Repeat every second while
   * waiting.
   */
  ask(key: WindowKey): Promise<boolean>
}

export function openElsewhere({ db }: Database): Elsewhere {
  let known: Promise<boolean> | undefined
  let knownUntil = 0
  const look = async () => {
    const [row] = await db<{ alive: boolean }[]>`
      select exists (
        select from workers where makes_windows and seen_at > now() - make_interval(secs => ${aliveMs / 1000})
      ) as alive
    `
    return row?.alive ?? false
  }
  return {
    async ask(key) {
      if (!known || performance.now() > knownUntil) {
        knownUntil = performance.now() + knownMs
        known = look()
        known.catch(() => {
          knownUntil = 0
        })
      }
      if (!(await known)) return false
      await db`select pg_notify(${channel}, ${windowName(key)})`
      return true
    },
  }
}

/** Makes requested windows with `make`, whose signal aborts when the requests stop. */
export async function serveRequests(
  database: Database,
  make: (key: WindowKey, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const heard = new Map<string, NodeJS.Timeout>()
  await database.listen(channel, (name) => {
    const lapse = heard.get(name)
    if (lapse) return void lapse.refresh()
    const key = keyIn(name)
    if (!key || heard.size >= mostHeard) return
    const leaving = new AbortController()
    heard.set(
      name,
      setTimeout(() => leaving.abort(new Error('Nobody waits for it any more.')), lapseMs),
    )
    make(key, leaving.signal)
      // The window's row records the failure, where the requesters look.
      .catch(() => {})
      .finally(() => {
        clearTimeout(heard.get(name))
        heard.delete(name)
      })
  })
}

function keyIn(name: string): WindowKey | undefined {
  const [source_id, track, number] = name.split('/')
  return source_id && track && number ? { source_id, track, number: Number(number) } : undefined
}
