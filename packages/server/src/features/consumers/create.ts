import { takeAttempt } from '../../auth/attempts.js'
import type { Db } from '../../db/database.js'
import { tooMany } from '../../errors.js'
import { mailConsumer } from '../../jobs/mail-consumer.job.js'
import { addressKey } from '../../lib/client-address.js'
import { newUnguessableId } from '../../lib/object-id.js'
import { enqueue } from '../../queue/enqueue.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { insert } from '../../resources/store.js'
import { readConsumer, whereEmailIsFree } from './fields.js'

/** Makes a consumer, or lets one sign up through an app. Whoever knows a consumer's id may name it, so it cannot be guessed. */
export async function createConsumer({ parts, resource, principal, scope, body, address }: Call) {
  const { database, sealer, passwords } = parts
  const { values, password } = readConsumer(body)
  if (principal.kind !== 'admin') await limitSignUps(parts, address)
  const password_hash = password === undefined ? null : await passwords.hash(password)
  const row = { ...values, _id: newUnguessableId(), password_hash }
  const record = await whereEmailIsFree(
    database.transaction(async (tx) => {
      const made = await insert(tx, sealer, resource, scope, row)
      await askToConfirm(tx, scope.site_id, String(values.email))
      return made
    }),
  )
  return answer(record)
}

async function limitSignUps({ database, sealer }: Call['parts'], address: string): Promise<void> {
  const bucket = { key: `sign-up from ${addressKey(address)}`, most: 100, seconds: 3600 }
  const seconds = await takeAttempt(database.db, sealer, [bucket])
  if (seconds > 0) throw tooMany(seconds)
}

/** Mails the link that confirms the address, where the channel wants that. */
export async function askToConfirm(tx: Db, site_id: string, email: string): Promise<void> {
  const [channel] = await tx`select from channels where _id = ${site_id} and verify_email`
  if (channel) await enqueue(tx, mailConsumer, { site_id, email, purpose: 'verify_email' })
}
