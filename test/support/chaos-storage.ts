import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { diskIn, type StorageSettings } from '../../packages/server/src/config/storage-url.js'
import { openDatabase } from '../../packages/server/src/db/database.js'
import { listLibrary } from '../../packages/server/src/library/contents.js'
import { createKeyLocks } from '../../packages/server/src/library/key-locks.js'
import type { MoveResult } from '../../packages/server/src/library/move-library.js'
import { movedFolder } from '../../packages/server/src/storage/merged-lists.js'
import { openTwoPlaces } from '../../packages/server/src/storage/two-places.js'
import { cloneDatabase } from './database.js'
import { type MoverOrder, openPlace } from './move-places.js'
import { makeMovingLibrary, type Watched } from './moving-library.js'
import { runSources } from './run-sources.js'
import { startS3 } from './s3.js'

export interface StorageChaosOptions {
  readonly kills: number
  readonly objects: number
  /** How long a mover lives at most, in milliseconds. */
  readonly longestLifeMs: number
  readonly random: () => number
  readonly report: (line: string) => void
}

export interface StorageChaosResult extends Watched {
  readonly kills: number
  readonly moves: number
  /** Objects that were found in the old place at the end of a move. */
  readonly leftOver: string[]
}

const program = fileURLToPath(new URL('mover-process.ts', import.meta.url))

/** Starts a process that moves once it is told to. */
function startMover(order: MoverOrder) {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [
    ...runSources,
    '--conditions=zoetrope:source',
    program,
    JSON.stringify(order),
  ])
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = once(child, 'exit')
  const ready = lines.next()
  return {
    /** Resolves when it has begun to move. */
    async begin() {
      await ready
      child.stdin.write('go\n')
      await lines.next()
    },
    /** The result, or undefined if it was killed before. */
    async result(): Promise<MoveResult | undefined> {
      const line = await lines.next()
      if (!line.done) return JSON.parse(line.value) as MoveResult
      const [code] = await ended
      if (code !== null) throw new Error(`The mover has ended with ${code}: ${said}`)
      return undefined
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Kills movers until they are done, or until there were enough kills; the last mover lives. Returns the number of kills. */
async function moveWithKills(
  order: MoverOrder,
  most: number,
  { random, longestLifeMs }: StorageChaosOptions,
): Promise<number> {
  let next = startMover(order)
  for (let kills = 0; kills < most; kills += 1) {
    const mover = next
    await mover.begin()
    // The next one loads meanwhile.
    next = startMover(kills + 1 < most ? order : { ...order, rate: undefined })
    const outcome = await Promise.race([mover.result(), delay(random() * longestLifeMs)])
    await mover.kill()
    if (!outcome?.isComplete) continue
    await next.kill()
    return kills
  }
  await next.begin()
  await next.result()
  return most
}

/** Moves a library from the disk into a bucket and back, and kills the mover again and again, while everything is read and some of it changes. */
export async function runStorageChaos(options: StorageChaosOptions): Promise<StorageChaosResult> {
  const { kills, objects, random, report } = options
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-chaos-storage-'))
  const clone = await cloneDatabase()
  const database = openDatabase({ connection: clone.connection, connections: 12 })
  const lock = createKeyLocks(database)
  const s3 = await startS3()
  let [from, to]: [StorageSettings, StorageSettings] = [diskIn(folder), s3.settings()]
  const done = { kills: 0, moves: 0, leftOver: [] as string[] }
  const library = await makeMovingLibrary(await openPlace(from), objects, random)
  try {
    while (done.kills < kills) {
      const places = { from: await openPlace(from), to: await openPlace(to), lock }
      const endWatch = library.watch(openTwoPlaces(places), 4)
      const order = { connection: clone.connection, from, to, rate: slowRate(options) }
      done.kills += await moveWithKills(order, Math.min(kills - done.kills, killsInMove), options)
      done.moves += 1
      await endWatch()
      await library.checkAll(places.to)
      for await (const { key } of listLibrary(places.from)) done.leftOver.push(key)
      await places.from.removeUnder(movedFolder)
      report(`${done.kills} kills, ${library.watched.reads} reads, ${library.watched.changes} changes`)
      ;[from, to] = [to, from]
    }
    return { ...library.watched, ...done }
  } finally {
    await s3.stop()
    await database.close()
    await clone.drop()
    await rm(folder, { recursive: true, force: true })
  }
}

const killsInMove = 50

/** The rate at which a mover that lives half of the longest life gets a fiftieth of all bytes done. */
const slowRate = ({ objects, longestLifeMs }: StorageChaosOptions) =>
  ((objects * 45_000) / killsInMove) * (2000 / longestLifeMs)
