import { StartError } from '../config/config.js'
import type { Db } from '../db/database.js'
import { readyToMove } from '../library/before-move.js'
import { type MoveResult, type MoveRun, moveLibrary } from '../library/move-library.js'
import { movedDays } from '../library/move-object.js'
import { failuresOf, lastMove, type MoveProgress } from '../library/moves.js'
import { readRate } from '../library/pace.js'
import { diskName, forgetPlace } from '../library/places.js'
import { amount, durationOf, sizeOf } from './amounts.js'
import { type Command, type CommandContext, readOptions, UsageError } from './define-command.js'
import { stopSignal } from './until-stopped.js'
import { withPlaces } from './with-platform.js'

export const storageMove: Command = {
  usage: 'zoetrope storage move --to s3|disk [--rate 50MB/s]',
  about: `Moves all films from the storage they were in to the one that the settings name, while people watch. Each file is copied, read again and compared; the original is deleted after ${movedDays} day. Stop it at any time: the same command goes on.`,
  async run(args, context) {
    const { to, rate } = readMove(args)
    await withPlaces(context, async ({ db }, places) => {
      checkTarget(to, places.current.name)
      const ready = await readyToMove(db, places)
      if (typeof ready !== 'string') return moveAll(context, db, { ...ready, ...(rate && { rate }) })
      if (places.old) throw new StartError([ready])
      context.print(ready)
    })
  },
}

async function moveAll(context: CommandContext, db: Db, run: MoveRun): Promise<void> {
  const { from, to } = run.names
  context.print(`Moves films from ${from} to ${to}.`)
  const stopping = new AbortController()
  const { signal } = stopping
  void stopSignal().then(() => stopping.abort())
  const endProgress = showProgress(context, db)
  try {
    const result = await moveLibrary(db, { ...run, signal })
    if (result.isComplete) await forgetPlace(db, from)
    await sayResult(context, db, result)
  } catch (error) {
    if (!signal.aborted) throw error
    context.print('Stopped. Everything plays from where it is; the same command goes on.')
  } finally {
    endProgress()
  }
}

function readMove(args: readonly string[]): { to: string; rate: number | undefined } {
  const { to, rate: text } = readOptions(args, { to: { type: 'string' }, rate: { type: 'string' } })
  if (to !== 's3' && to !== 'disk') throw new UsageError('--to is missing: s3 or disk.')
  const rate = text === undefined ? undefined : readRate(text)
  if (text !== undefined && rate === undefined)
    throw new UsageError(`${text} is no rate: write such as 50MB/s.`)
  return { to, rate }
}

/** Films move to where new ones are written, so the settings decide and the argument confirms. */
function checkTarget(to: string, current: string): void {
  const isDisk = current === diskName
  if (to === 'disk' && !isDisk)
    throw new StartError([
      `New films are written to ${current}. To move back to the disk, remove STORAGE_URL and set STORAGE_OLD_URL to the address it had, on every server and worker, start them again, and repeat this command.`,
    ])
  if (to === 's3' && isDisk)
    throw new StartError([
      'STORAGE_URL is not set, so new films are written to the disk. Set it to the address of the bucket on every server and worker, start them again, and repeat this command.',
    ])
}

const progressEveryMs = 2000

/** Prints how far the move is, until the returned function is called. */
function showProgress({ print }: CommandContext, db: Db): () => void {
  let shown = ''
  const timer = setInterval(async () => {
    const move = await lastMove(db).catch(() => undefined)
    if (!move) return
    const line = progressOf(move)
    if (line !== shown) print(line)
    shown = line
  }, progressEveryMs)
  return () => clearInterval(timer)
}

/** How far a move is, in a line. */
export function progressOf(move: MoveProgress): string {
  const { moved_objects, total_objects, moved_bytes, total_bytes, failed_objects, seconds_left } = move
  return [
    `${moved_objects.toLocaleString('en')} of ${amount(total_objects, 'file')}`,
    `${sizeOf(moved_bytes)} of ${sizeOf(total_bytes)}`,
    ...(failed_objects > 0 ? [`${failed_objects} failed`] : []),
    ...(seconds_left === null ? [] : [`${durationOf(seconds_left)} left`]),
  ].join(', ')
}

async function sayResult({ print }: CommandContext, db: Db, result: MoveResult): Promise<void> {
  print(`Moved ${amount(result.objects, 'file')}, ${sizeOf(result.bytes)}.`)
  if (result.isComplete) return print('All films are in the new place.')
  const move = await lastMove(db)
  const failures = move ? await failuresOf(db, move._id) : []
  if (result.failed === 0)
    return print(
      'Uploads that were begun in the old place are still going on there. Repeat this command when they have ended.',
    )
  throw new StartError([
    `${amount(result.failed, 'file')} could not be moved, and stay where they are. Repeat this command.`,
    ...failures.map(({ key, reason }) => `  ${key}: ${reason}`),
  ])
}
