import { type Command, readOptions } from './define-command.js'
import { withPlatform } from './with-platform.js'

export const migrateCommand: Command = {
  usage: 'zoetrope migrate',
  about: 'Upgrades the database to this version. `zoetrope start` does this automatically.',
  async run(args, context) {
    readOptions(args, {})
    await withPlatform(context, async () => {})
    context.print('The database is up to date.')
  },
}
