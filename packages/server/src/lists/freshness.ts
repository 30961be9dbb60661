import { randomBytes } from 'node:crypto'
import type { CountedList } from '@zoetrope/contract'
import type { Database } from '../db/database.js'
import { createBoundedMap } from '../lib/bounded-map.js'
import { gatherHints } from './gathered-hints.js'

/**
 * What this process knows about the counted lists of each channel. Every write increases the version of its list.
 * This process learns of its own writes at once and of other processes' writes by notification. It notices a lost
 * notification within a second.
 */
export interface Freshness {
  /** The list's version if it was confirmed within the last second. Never waits. */
  known(siteId: string, list: string): number | undefined
  /** The list's version, read from the database if it is not known. */
  version(siteId: string, list: string): Promise<number>
  /** Call before a read, and pass the result to `saw` with the version that the read returned. */
  begin(siteId: string, list: CountedList): Reading
  saw(reading: Reading, version: number): void
  /** Call after a write to a list is committed. */
  touch(siteId: string, list: CountedList): void
  /** Whether a scheduled switch of a record is due, so that `settle` must run before anything is read. */
  due(): boolean
  settle(): Promise<void>
  /** Call after a schedule is written. Looks up when the next switch is due. */
  reschedule(): Promise<void>
  close(): void
}

export interface Reading {
  readonly key: string
  readonly epoch: number
}

interface ListState {
  version: number
  until: number
  epoch: number
}

const maxAgeMs = 1000
const maxLists = 20_000
const foldEveryWrites = 200
const foldBatch = 10_000
const switchedAtOnce = 2000
const mostSteps = 5
const channelName = 'zoetrope_lists'

export async function openFreshness(
  database: Database,
  onError: (error: unknown) => void,
): Promise<Freshness> {
  const lists = createBoundedMap<ListState>(maxLists)
  const checks = new Map<string, Promise<number>>()
  // PostgreSQL also sends a process its own notifications.
  const self = randomBytes(6).toString('hex')
  const hints = gatherHints((keys) => {
    database.db`
      select pg_notify(${channelName}, key || ' ' || ${self}) from unnest(${keys}::text[]) as key
    `.catch(onError)
  })
  let writesSinceFold = 0
  let folding = false
  let nextSwitch = 0
  let epochs = 0
  let looks = 0
  let lastLook = 0
  let settling: Promise<void> | undefined

  const keyOf = (siteId: string, list: string) => `${siteId}/${list}`

  const stateOf = (key: string): ListState => {
    const found = lists.get(key)
    if (found) return found
    epochs += 1
    const made = { version: -1, until: 0, epoch: epochs }
    lists.set(key, made)
    return made
  }

  const distrust = (key: string) => {
    const state = stateOf(key)
    epochs += 1
    state.until = 0
    state.epoch = epochs
  }
  const distrustAll = () => {
    for (const [key] of lists.entries()) distrust(key)
  }

  /** After a fail-over, the database may have lost its last writes, and versions are lower than before. */
  const forgetAll = () => {
    for (const [, state] of lists.entries()) state.version = -1
    distrustAll()
  }

  const saw = ({ key, epoch }: Reading, version: number) => {
    const state = stateOf(key)
    // A read that began before a write of this process may have missed it.
    if (state.epoch !== epoch || version < state.version) return
    state.version = version
    state.until = Date.now() + maxAgeMs
  }
  const begin = (siteId: string, list: string): Reading => {
    const key = keyOf(siteId, list)
    return { key, epoch: stateOf(key).epoch }
  }

  async function check(siteId: string, list: string): Promise<number> {
    const reading = begin(siteId, list)
    const [row] = await database.db<{ version: string }[]>`select list_version(${siteId}, ${list}) as version`
    const version = Number(row?.version ?? 0)
    saw(reading, version)
    return version
  }

  function fold(): void {
    if (folding) return
    folding = true
    writesSinceFold = 0
    database.db`select fold_list_changes(${foldBatch}) as folded`
      .then(([row]) => {
        if (row?.folded === foldBatch) writesSinceFold = foldEveryWrites
      }, onError)
      .finally(() => {
        folding = false
      })
  }

  async function reschedule(): Promise<void> {
    looks += 1
    const look = looks
    const [row] = await database.db<{ at: Date | null }[]>`select next_switch() as at`
    // A later look has already returned, with newer information.
    if (look < lastLook) return
    lastLook = look
    nextSwitch = row?.at ? row.at.getTime() : Number.POSITIVE_INFINITY
  }

  /**
   * Applies due switches in short steps, each in its own transaction. If there are too many, the rest follow while
   * requests are handled.
   */
  async function switchDue(): Promise<void> {
    for (let step = 0; step < mostSteps; step += 1) {
      const [row] = await database.db<{ switched: number }[]>`select switch_due() as switched`
      if ((row?.switched ?? 0) < switchedAtOnce) return
    }
  }

  async function settle(): Promise<void> {
    await switchDue()
    distrustAll()
    await reschedule()
  }

  await reschedule()
  await database.listen(channelName, (message) => {
    const [key, sender] = message.split(' ')
    if (sender === self) return
    if (key) distrust(key)
    else forgetAll()
    reschedule().catch(onError)
  })
  let looking = false
  const ticking = setInterval(() => {
    if (writesSinceFold > 0) fold()
    if (looking) return
    looking = true
    reschedule()
      .then(() => (Date.now() >= nextSwitch ? freshness.settle() : undefined))
      .catch(onError)
      .finally(() => {
        looking = false
      })
  }, maxAgeMs)
  ticking.unref()

  const freshness: Freshness = {
    known(siteId, list) {
      const state = lists.get(keyOf(siteId, list))
      const now = Date.now()
      return state && state.until > now && now < nextSwitch ? state.version : undefined
    },
    async version(siteId, list) {
      const key = keyOf(siteId, list)
      const state = lists.get(key)
      if (state && state.until > Date.now()) return state.version
      const running = checks.get(`${key} ${state?.epoch}`)
      if (running) return running
      const name = `${key} ${stateOf(key).epoch}`
      const started = check(siteId, list).finally(() => checks.delete(name))
      checks.set(name, started)
      return started
    },
    begin,
    saw,
    touch(siteId, list) {
      const key = keyOf(siteId, list)
      distrust(key)
      hints.add(key)
      writesSinceFold += 1
      if (writesSinceFold >= foldEveryWrites) fold()
    },
    due: () => Date.now() >= nextSwitch,
    settle() {
      settling ??= settle().finally(() => {
        settling = undefined
      })
      return settling
    },
    reschedule,
    close() {
      clearInterval(ticking)
      hints.close()
    },
  }
  return freshness
}
