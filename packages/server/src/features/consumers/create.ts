import { publishes } from '@zoetrope/contract'
import { bucketFrom, takeOrRefuse } from '../../auth/limits.js'
import { addressDigest, rememberAddress } from '../../auth/sign-in.js'
import type { Db } from '../../db/database.js'
import { mailConsumer } from '../../jobs/mail-consumer.job.js'
import { newUnguessableId } from '../../lib/object-id.js'
import { enqueue } from '../../queue/enqueue.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { insert } from '../../resources/store.js'
import { readConsumer, whereEmailIsFree } from './fields.js'
import { writeTokens } from './tokens.js'

/**
 * Creates a consumer for the publisher, or signs one up through an app. The id is unguessable, because knowing it is
 * enough to refer to the consumer.
 */
export async function createConsumer({ parts, resource, principal, scope, body, address }: Call) {
  const { database, sealer, passwords } = parts
  const { values, password, tokens } = readConsumer(sealer, body)
  if (!publishes(principal.kind)) await takeOrRefuse(parts, bucketFrom('sign_up', address))
  const password_hash = password === undefined ? null : await passwords.hash(password)
  const row = { ...values, _id: newUnguessableId(), password_hash }
  const record = await whereEmailIsFree(
    database.transaction(async (tx) => {
      const made = await insert(tx, resource, scope, row)
      const email = String(values.email)
      await writeTokens(tx, sealer, { site_id: scope.site_id, consumer_id: row._id }, tokens)
      await askToConfirm(tx, scope.site_id, email)
      // The address of the sign-up counts as known.
      if (!publishes(principal.kind))
        await rememberAddress(
          tx,
          { site_id: scope.site_id, consumer_id: row._id },
          addressDigest(sealer, scope.site_id, email, address),
        )
      return made
    }),
  )
  return answer(record)
}

/** Mails a confirmation link if the channel verifies addresses. */
export async function askToConfirm(tx: Db, site_id: string, email: string): Promise<void> {
  const [channel] = await tx`select from channels where _id = ${site_id} and verify_email`
  if (channel) await enqueue(tx, mailConsumer, { site_id, email, purpose: 'verify_email' })
}
