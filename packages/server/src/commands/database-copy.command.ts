import { StartError } from '../config/config.js'
import { copyDatabase } from '../db/copy-database.js'
import { type Db, processName } from '../db/database.js'
import { databaseName, markMoved, takeBack, whyMoved } from '../db/moved.js'
import { readRecord } from '../db/records.js'
import { openPlatform, type Platform } from '../platform.js'
import { amount } from './amounts.js'
import { type Command, readOptions, UsageError } from './define-command.js'
import { withPlatform } from './with-platform.js'

/** Only the copies of large tables are reported: they take long. */
const largeTable = 10_000

export const databaseCopy: Command = {
  usage: 'zoetrope database copy',
  about:
    'Copies the whole database into the empty one that TO_DATABASE_URL names, on another PostgreSQL server, to use that one with DATABASE_URL from then on. Servers and workers must be stopped. The database that is copied is marked and not started any more; `zoetrope database take-back` undoes that.',
  async run(args, context) {
    const { to: given } = readOptions(args, { to: { type: 'string' } })
    const to = given ?? context.config.toDatabaseUrl
    if (!to || !/^postgres(ql)?:\/\//.test(to))
      throw new UsageError(
        'TO_DATABASE_URL is the address of the new database: postgres://user:password@host/database',
      )
    if (given && new URL(given).password)
      context.print(
        'Everybody on this machine can read the password behind --to in the list of processes. Better set TO_DATABASE_URL instead.',
      )
    const copyFrom = async ({ database: from }: Platform) => {
      await checkIdle(from.db)
      const moved = await whyMoved(from.db, databaseName(to))
      if (moved) throw new StartError([moved])
      const target = await openPlatform({ ...context.config, databaseUrl: to }, () => {})
      try {
        await checkTarget(from.db, target.database.db)
        // First: if this process is killed, at most one of the two databases can be started.
        await markMoved(from.db, databaseName(to))
        await checkIdle(from.db)
        const { tables, rows } = await copyDatabase(from, target.database, (name, copied) => {
          if (copied >= largeTable) context.print(`Copied ${amount(copied, 'row')} of ${name}.`)
        })
        context.print(
          `Copied ${amount(rows, 'row')} of ${amount(tables, 'table')}; both databases have the same number.`,
        )
        context.print(
          'Start the server with DATABASE_URL set to the new database, and with the same SECRET_KEY. The old one is refused from now on.',
        )
      } catch (error) {
        // Nothing was copied, unless there was something in the new database before.
        if (!(await hasChannels(target.database.db))) await takeBack(from.db)
        throw error
      } finally {
        await target.close()
      }
    }
    await withPlatform(context, copyFrom, { takesMoved: true })
  },
}

export const databaseTakeBack: Command = {
  usage: 'zoetrope database take-back',
  about:
    'Makes a database usable again that was copied to another one by `zoetrope database copy`. What was written to the other one since is not in it: stop the servers that use that one first.',
  async run(args, context) {
    readOptions(args, {})
    const undo = async ({ database: { db } }: Platform) => {
      const moved = await takeBack(db)
      context.print(
        moved === undefined
          ? 'This database was not copied to another one. It can be used.'
          : `This database can be used again. What was written to the copy, ${moved}, is not in it.`,
      )
    }
    await withPlatform(context, undo, { takesMoved: true })
  },
}

/** What is written during the copy would be missing in it. */
async function checkIdle(db: Db): Promise<void> {
  const [row] = await db<{ others: number }[]>`
    select count(distinct split_part(application_name, '.', 1))::int as others from pg_stat_activity
    where datname = current_database() and application_name ~ '^zoetrope [0-9]'
      and split_part(application_name, '.', 1) <> ${processName}
  `
  if (row && row.others > 0)
    throw new StartError([
      `${row.others === 1 ? 'A process' : `${row.others} processes`} of Zoetrope still use${row.others === 1 ? 's' : ''} the database. Stop all servers and workers: what they write now would be missing in the copy.`,
    ])
}

async function identityOf(db: Db): Promise<string | undefined> {
  const [row] = await db<{ identity: string }[]>`
    select concat(system_identifier, ' ', current_database()) as identity from pg_control_system()
  `
  return row?.identity
}

async function hasChannels(db: Db): Promise<boolean> {
  const [row] = await db<{ found: boolean }[]>`select exists (select from channels) as found`
  return row?.found === true
}

/** The target must be another database, and empty. */
async function checkTarget(from: Db, to: Db): Promise<void> {
  if ((await identityOf(from)) === (await identityOf(to)))
    throw new StartError([
      'The database to copy to is the one that DATABASE_URL names. Leave DATABASE_URL out for this command.',
    ])
  if (!(await hasChannels(to))) return
  const [ours, theirs] = [await readRecord(from, 'set_up'), await readRecord(to, 'set_up')]
  throw new StartError([
    ours === theirs
      ? 'This database was copied to the new one already: start the server with DATABASE_URL set to that.'
      : 'The database to copy to has channels already. Name an empty one, so that nothing in it is overwritten.',
  ])
}
