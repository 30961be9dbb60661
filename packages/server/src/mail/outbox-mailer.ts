import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mailer } from '../lib/message.js'
import { compose } from './compose.js'

export interface OutboxOptions {
  readonly outbox: string
  readonly from: string
  readonly log: { info(facts: object, message: string): void }
}

/** Writes every mail to a file that mail programs open, for installations without a mail server. */
export function openOutboxMailer({ outbox, from, log }: OutboxOptions): Mailer {
  return {
    async send(message) {
      const { id, raw } = await compose(message, from)
      const file = `${id}.eml`
      await writeWhole(outbox, file, raw).catch((error: NodeJS.ErrnoException) => {
        throw new Error(
          `The mail could not be written to the folder ${outbox} (${error.code ?? error.message}). Change that, or set SMTP_URL.`,
        )
      })
      log.info({ mail_id: id, file }, 'mail written to the outbox; set SMTP_URL to send it')
      return id
    },
    async close() {},
  }
}

/** Written to a temporary name and renamed, so that the folder contains only complete mails. */
async function writeWhole(folder: string, name: string, content: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const aside = join(folder, `.${name}.new`)
  const file = await open(aside, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
    await file.close()
    await rename(aside, join(folder, name))
  } catch (error) {
    await file.close().catch(() => {})
    await rm(aside, { force: true })
    throw error
  }
}
