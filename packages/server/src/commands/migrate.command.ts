import type { Command } from './define-command.js'
import { withPlatform } from './with-platform.js'

export const migrateCommand: Command = {
  usage: 'zoetrope migrate',
  about: 'Upgrades the database to this version. `zoetrope start` does this automatically.',
  async run(_args, context) {
    await withPlatform(context, async () => {})
    context.print('The database is up to date.')
  },
}
