import type { Db } from './database.js'

/** Keeps a text for the whole installation, in place of what had its name before. */
export async function keepRecord(db: Db, name: string, value: string): Promise<void> {
  await db`
    insert into installation (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value where installation.value <> excluded.value
  `
}

export async function readRecord(db: Db, name: string): Promise<string | undefined> {
  const [row] = await db<{ value: string }[]>`select value from installation where name = ${name}`
  return row?.value
}

/** Keeps a text unless there is one of this name. Returns what is kept now. */
export async function keepFirstRecord(db: Db, name: string, value: string): Promise<string> {
  await db`insert into installation (name, value) values (${name}, ${value}) on conflict (name) do nothing`
  return (await readRecord(db, name)) ?? value
}

export async function dropRecord(db: Db, name: string): Promise<void> {
  await db`delete from installation where name = ${name}`
}
