import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Db } from '../db/database.js'

const beatMs = 10_000
const silenceSeconds = 30

/** Announces, as long as the database is open, which storages this process uses: first the one it writes to. */
export async function announcePlaces(db: Db, places: readonly string[]): Promise<void> {
  const _id = randomBytes(12).toString('hex')
  const beat = () => db`
    insert into storage_users ${db({ _id, places: [...places], host: hostname() })}
    on conflict (_id) do update set seen_at = now()
  `
  await beat()
  await db`delete from storage_users where seen_at < now() - interval '1 hour'`
  const timer = setInterval(() => {
    beat().catch((error: { code?: string }) => {
      if (error.code === 'CONNECTION_ENDED') clearInterval(timer)
    })
  }, beatMs)
  timer.unref()
}

/** The hosts of running processes that write films elsewhere: they would miss what is moved here, or change it without a lock. */
export async function hostsWithout(db: Db, place: string): Promise<readonly string[]> {
  const rows = await db<{ host: string }[]>`
    select distinct host from storage_users
    where seen_at > now() - make_interval(secs => ${silenceSeconds}) and places[1] is distinct from ${place} order by host
  `
  return rows.map(({ host }) => host)
}
