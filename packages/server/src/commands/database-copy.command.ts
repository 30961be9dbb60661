import { StartError } from '../config/config.js'
import { copyDatabase } from '../db/copy-database.js'
import { type Db, processName } from '../db/database.js'
import { openPlatform } from '../platform.js'
import { amount } from './amounts.js'
import { type Command, readOptions, UsageError } from './define-command.js'
import { withPlatform } from './with-platform.js'

/** Only the copies of large tables are reported: they take long. */
const largeTable = 10_000

export const databaseCopy: Command = {
  usage: 'zoetrope database copy --to postgres://…',
  about:
    'Copies the whole database into an empty one on another PostgreSQL server, to use that one with DATABASE_URL from then on. Servers and workers must be stopped. Changes nothing in the database that is copied.',
  async run(args, context) {
    const { to } = readOptions(args, { to: { type: 'string' } })
    if (!to || !/^postgres(ql)?:\/\//.test(to))
      throw new UsageError('--to is the address of the new database: postgres://user:password@host/database')
    await withPlatform(context, async (from) => {
      await checkIdle(from.database.db)
      const target = await openPlatform({ ...context.config, databaseUrl: to }, () => {})
      try {
        if ((await identityOf(from.database.db)) === (await identityOf(target.database.db)))
          throw new StartError([
            '--to is the database that DATABASE_URL names. Leave DATABASE_URL out for this command.',
          ])
        await checkEmpty(target.database.db)
        const { tables, rows } = await copyDatabase(from.database, target.database, (name, copied) => {
          if (copied >= largeTable) context.print(`Copied ${amount(copied, 'row')} of ${name}.`)
        })
        await checkIdle(from.database.db)
        context.print(
          `Copied ${amount(rows, 'row')} of ${amount(tables, 'table')}; both databases have the same number.`,
        )
        context.print(
          'Start the server with DATABASE_URL set to the new database, and with the same SECRET_KEY.',
        )
      } finally {
        await target.close()
      }
    })
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

async function checkEmpty(db: Db): Promise<void> {
  const [row] = await db<{ found: boolean }[]>`select exists (select from channels) as found`
  if (row?.found)
    throw new StartError([
      'The database of --to has channels already. Name an empty one, so that nothing in it is overwritten.',
    ])
}
