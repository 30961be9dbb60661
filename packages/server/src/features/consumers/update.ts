import { publishes } from '@zoetrope/contract'
import { endSessions } from '../../auth/sessions.js'
import type { Db } from '../../db/database.js'
import { notFound } from '../../errors.js'
import { mailConsumer } from '../../jobs/mail-consumer.job.js'
import { enqueue } from '../../queue/enqueue.js'
import type { Call } from '../../resources/feature.js'
import { answer, standard } from '../../resources/standard.js'
import { belongs, update } from '../../resources/store.js'
import { askToConfirm } from './create.js'
import { readConsumer, whereEmailIsFree } from './fields.js'
import { forgetMailTokens } from './mail-answers.js'
import { limitMails } from './mail-requests.js'
import { message } from './message.js'
import { askForPassword } from './own-password.js'
import { writeTokens } from './tokens.js'

/** Updates a consumer. A new password ends all sessions; a new address must be confirmed again. */
export async function updateConsumer(call: Call) {
  const { parts, resource, scope, id, body } = call
  const { database, sealer, passwords, principals } = parts
  const { values, password, currentPassword, tokens } = readConsumer(sealer, body)
  await askForPassword(call, { currentPassword, password, email: values.email })
  if (typeof values.email === 'string') await limitMoves(call, values.email)
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
        ...(password_hash ? { password_hash, password_token_digest: null } : {}),
        ...values,
        ...(moved ? { email_verified_at: null } : {}),
      }
      const changed = await update(tx, resource, scope, id, changes)
      await writeTokens(tx, sealer, { site_id: scope.site_id, consumer_id: id }, tokens)
      const consumer = { site_id: scope.site_id, consumer_id: id, email, before: before.email }
      await followUp(tx, consumer, password_hash !== undefined)
      return changed
    }),
  )
  if (password_hash) principals.forget(({ consumerId }) => consumerId === id)
  if (!record) throw notFound(resource.name)
  return answer(record)
}

/** Limits address changes, which send mail to any address and reveal whether it is taken. */
async function limitMoves({ parts, principal, scope, id, address }: Call, email: string): Promise<void> {
  if (publishes(principal.kind)) return
  const [same] = await parts.database.db`
    select from consumers where site_id = ${scope.site_id} and _id = ${id} and email = ${email}
  `
  if (!same) await limitMails(parts, { site_id: scope.site_id, email, purpose: 'verify_email', ip: address })
}

interface Changed {
  readonly site_id: string
  readonly consumer_id: string
  readonly email: string
  /** The previous address. */
  readonly before: string
}

/** Revokes tokens mailed before the change, perhaps to the old address, and notifies the consumer. */
async function followUp(tx: Db, consumer: Changed, newPassword: boolean): Promise<void> {
  const { site_id, consumer_id, email, before } = consumer
  const moved = email !== before
  if (moved || newPassword) await forgetMailTokens(tx, consumer, 'reset_password')
  if (moved) {
    await forgetMailTokens(tx, consumer, 'verify_email')
    await askToConfirm(tx, site_id, email)
    await enqueue(tx, mailConsumer, { site_id, consumer_id, email, to: before, purpose: 'email_changed' })
  }
  if (newPassword) {
    await endSessions(tx, site_id, consumer_id)
    await enqueue(tx, mailConsumer, { site_id, consumer_id, email, to: before, purpose: 'password_changed' })
  }
}

/** Clears the code. The app then prompts for a new one. */
export const resetParentalCode = async (call: Call) =>
  standard.update({ ...call, body: { parental_access_code: null } })

export async function endAllSessions({ parts, resource, scope, id }: Call) {
  const { database, principals } = parts
  if (!(await belongs(database.db, resource, scope, id))) throw notFound(resource.name)
  await database.transaction((tx) => endSessions(tx, scope.site_id, id))
  principals.forget(({ consumerId }) => consumerId === id)
  return message('Every session has ended.')
}
