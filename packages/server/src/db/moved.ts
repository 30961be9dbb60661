import type { Db } from './database.js'
import { dropRecord, keepRecord, readRecord } from './records.js'

/** The record that says where a database was copied to. A copy does not have it. */
export const movedRecord = 'moved_to'

/** The server and the name of a database, without the password. */
export function databaseName(url: string): string {
  const { host, pathname } = new URL(url)
  return `${decodeURIComponent(host)}${pathname}`
}

/** Marks a database, so that nobody goes on with it by mistake. */
export const markMoved = (db: Db, to: string): Promise<void> =>
  keepRecord(db, movedRecord, `${to} on ${new Date().toISOString().slice(0, 16).replace('T', ' at ')} UTC`)

/** Takes the mark away; returns where the copy is, if there was a mark. */
export async function takeBack(db: Db): Promise<string | undefined> {
  const moved = await readRecord(db, movedRecord)
  if (moved !== undefined) await dropRecord(db, movedRecord)
  return moved
}

/** What to tell if the database was copied to another one than the given one. */
export async function whyMoved(db: Db, to?: string): Promise<string | undefined> {
  const moved = await readRecord(db, movedRecord)
  if (moved === undefined || moved.split(' ')[0] === to) return undefined
  return `This database was copied to ${moved}. Set DATABASE_URL to that one. If the copy was interrupted, or if you want to go on with this database and without everything that was written to the other one, run \`zoetrope database take-back\`.`
}
