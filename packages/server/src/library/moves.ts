import { randomBytes } from 'node:crypto'
import type { StorageMove } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { newId } from '../lib/object-id.js'

/** A move that has sent nothing for this long does not run. */
const silenceSeconds = 15

export interface MoveNames {
  readonly from: string
  readonly to: string
}

/** How far a move is. */
export interface MoveProgress extends Omit<StorageMove, 'begun_at' | 'ended_at' | 'failures'> {
  readonly _id: string
  readonly begun_at: Date
  readonly ended_at: Date | null
}

/** Another process has taken over the move. */
export class MoveTakenOver extends Error {
  constructor() {
    super('Another process has begun to move the films. It goes on, and this one stops.')
  }
}

/** The record of a move for the one who moves. */
export interface MoveRecord {
  /** Adds what was moved since the last call. */
  save(objects: number, bytes: number): Promise<void>
  setTotal(objects: number, bytes: number): Promise<void>
  fail(key: string, reason: string): Promise<void>
  end(): Promise<void>
}

/** Continues the move that was begun between these places, or begins one. The process that did it before stops. */
export async function openMove(db: Db, { from, to }: MoveNames): Promise<MoveRecord> {
  const runner = randomBytes(8).toString('hex')
  await db`update storage_moves set ended_at = now() where ended_at is null and (from_place <> ${from} or to_place <> ${to})`
  const [begun] = await db<{ _id: string }[]>`
    update storage_moves set runner = ${runner}, resumed_at = now(), resumed_bytes = moved_bytes, seen_at = now()
    where _id = (select _id from storage_moves where ended_at is null order by begun_at desc limit 1)
    returning _id
  `
  const _id = begun?._id ?? newId()
  const change = async (changed: Promise<readonly unknown[]>) => {
    if ((await changed).length === 0) throw new MoveTakenOver()
  }
  if (!begun)
    await change(db`
      insert into storage_moves ${db({ _id, runner, from_place: from, to_place: to })}
      on conflict do nothing returning _id
    `)
  await db`delete from storage_move_failures where move_id = ${_id}`
  return {
    save: (objects, bytes) =>
      change(db`
        update storage_moves set moved_objects = moved_objects + ${objects}, moved_bytes = moved_bytes + ${bytes},
          seen_at = now()
        where _id = ${_id} and runner = ${runner} and ended_at is null returning _id
      `),
    setTotal: (objects, bytes) =>
      change(db`
        update storage_moves set total_objects = moved_objects + ${objects}, total_bytes = moved_bytes + ${bytes},
          seen_at = now()
        where _id = ${_id} and runner = ${runner} and ended_at is null returning _id
      `),
    async fail(key, reason) {
      await db`
        insert into storage_move_failures ${db({ move_id: _id, key, reason })}
        on conflict (move_id, key) do update set reason = excluded.reason, failed_at = now()
      `
    },
    end: () =>
      change(db`
        update storage_moves set ended_at = now(), seen_at = now()
        where _id = ${_id} and runner = ${runner} and ended_at is null returning _id
      `),
  }
}

/** The last move, if there ever was one. */
export async function lastMove(db: Db): Promise<MoveProgress | undefined> {
  const [row] = await db<MoveProgress[]>`
    select _id, from_place as "from", to_place as "to", begun_at, ended_at,
      total_objects::float8, total_bytes::float8, moved_objects::float8, moved_bytes::float8,
      (select count(*)::int from storage_move_failures where move_id = _id) as failed_objects,
      ended_at is null and seen_at > now() - make_interval(secs => ${silenceSeconds}) as is_running,
      case when ended_at is null and moved_bytes > resumed_bytes and seen_at > resumed_at then
        ceil(greatest(total_bytes - moved_bytes, 0)
          * extract(epoch from seen_at - resumed_at) / (moved_bytes - resumed_bytes))::float8
      end as seconds_left
    from storage_moves order by begun_at desc limit 1
  `
  return row
}

const mostFailures = 20

/** Some of the objects that could not be moved, and why. */
export async function failuresOf(db: Db, moveId: string): Promise<StorageMove['failures']> {
  return db<{ key: string; reason: string }[]>`
    select key, reason from storage_move_failures where move_id = ${moveId} order by key limit ${mostFailures}
  `
}
