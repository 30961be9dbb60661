import { endSessions } from '../../auth/sessions.js'
import type { Db } from '../../db/database.js'
import { notFound } from '../../errors.js'
import { mailConsumer } from '../../jobs/mail-consumer.job.js'
import { enqueue } from '../../queue/enqueue.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { update } from '../../resources/store.js'
import { askToConfirm } from './create.js'
import { readConsumer, whereEmailIsFree } from './fields.js'
import { forgetMailTokens } from './mail-answers.js'

/** A new password ends every session; a new address has to be confirmed like the first. */
export async function updateConsumer({ parts, resource, scope, id, body }: Call) {
  const { database, sealer, passwords, principals } = parts
  const { values, password } = readConsumer(body)
  const password_hash = password === undefined ? undefined : await passwords.hash(password)
  const record = await whereEmailIsFree(
    database.transaction(async (tx) => {
      const [before] = await tx<{ email: string }[]>`
        select email from consumers where site_id = ${scope.site_id} and _id = ${id} for no key update
      `
      if (!before) throw notFound(resource.name)
      const email = typeof values.email === 'string' ? values.email : before.email
      const moved = email !== before.email
      const changes = {
        ...values,
        ...(password_hash ? { password_hash } : {}),
        ...(moved ? { email_verified_at: null } : {}),
      }
      const changed = await update(tx, sealer, resource, scope, id, changes)
      await followUp(
        tx,
        { site_id: scope.site_id, consumer_id: id, email },
        moved,
        password_hash !== undefined,
      )
      return changed
    }),
  )
  if (password_hash) principals.forget(({ consumerId }) => consumerId === id)
  if (!record) throw notFound(resource.name)
  return answer(record)
}

interface Changed {
  readonly site_id: string
  readonly consumer_id: string
  readonly email: string
}

/** A mail that was sent before, perhaps to an address that was left, must not open what was changed since. */
async function followUp(tx: Db, consumer: Changed, moved: boolean, newPassword: boolean): Promise<void> {
  const { site_id, consumer_id, email } = consumer
  if (moved || newPassword) await forgetMailTokens(tx, consumer, 'reset_password')
  if (moved) {
    await forgetMailTokens(tx, consumer, 'verify_email')
    await askToConfirm(tx, site_id, email)
  }
  if (newPassword) {
    await endSessions(tx, site_id, consumer_id)
    await enqueue(tx, mailConsumer, { site_id, email, purpose: 'password_changed' })
  }
}
