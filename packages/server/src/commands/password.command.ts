import { hashPassword, newPassword } from '../auth/passwords.js'
import { replacePassword } from '../auth/publisher-passwords.js'
import { plainEmail } from '../auth/sign-in.js'
import type { Db } from '../db/database.js'
import { dropPassword } from '../installation/files.js'
import { type Command, readWords, UsageError } from './define-command.js'
import { withPlatform } from './with-platform.js'

export const passwordCommand: Command = {
  usage: 'zoetrope password <email>',
  about:
    'Sets a new password for a publisher and prints it. Ends their sessions and turns off their authenticator app.',
  async run(args, context) {
    const [email = '', ...rest] = readWords(args)
    if (!email.includes('@') || rest.length > 0)
      throw new UsageError('Give the e-mail address of one person who signs in to the dashboard.')
    const password = newPassword()
    const hash = await hashPassword(password)
    const isKnown = await withPlatform(context, ({ database }) =>
      database.transaction((tx) => setPassword(tx, plainEmail(email), hash)),
    )
    if (!isKnown) throw new UsageError(`Nobody signs in to the dashboard with the address ${email}.`)
    await dropPassword(context.config.dataDir, plainEmail(email), plainEmail(email))
    context.print(password)
  },
}

async function setPassword(tx: Db, email: string, password_hash: string): Promise<boolean> {
  const [found] = await tx<{ publisher_id: string }[]>`
    select _id as publisher_id from publishers where lower(email) = ${email} for update
  `
  if (!found) return false
  return replacePassword(tx, { ...found, password_hash, removesSecondFactor: true })
}
