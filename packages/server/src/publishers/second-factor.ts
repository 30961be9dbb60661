import { randomInt } from 'node:crypto'
import { giveBack } from '../auth/attempts.js'
import { bucketOf, takeOrRefuse } from '../auth/limits.js'
import type { Db } from '../db/database.js'
import type { Sealer } from '../lib/sealing.js'
import { stepOf } from '../lib/totp.js'
import type { Parts } from '../resources/feature.js'

const recoveryCodes = 10
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

const newRecoveryCode = () => {
  const word = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')
  return `${word()}-${word()}`
}

const recoveryDigest = (sealer: Sealer, publisher_id: string, code: string) =>
  sealer.digest(`recovery ${publisher_id} ${code}`)

/** Creates new recovery codes and invalidates the earlier ones. */
export async function makeRecoveryCodes(tx: Db, sealer: Sealer, publisher_id: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, newRecoveryCode)
  await tx`delete from publisher_recovery_codes where publisher_id = ${publisher_id}`
  for (const code of codes)
    await tx`
      insert into publisher_recovery_codes
      values (${publisher_id}, ${recoveryDigest(sealer, publisher_id, code)})
    `
  return codes
}

/** Whether an authenticator code or a recovery code is right. Each works once. */
export async function spendCode(parts: Parts, publisher_id: string, typed: string): Promise<boolean> {
  const { db } = parts.database
  const bucket = bucketOf('second_factor', publisher_id)
  await takeOrRefuse(parts, bucket)
  const code = typed.replace(/\s/g, '').toLowerCase()
  const isRight = /^\d+$/.test(code)
    ? await spendTotp(parts, publisher_id, code)
    : await spendRecoveryCode(db, recoveryDigest(parts.sealer, publisher_id, code), publisher_id)
  if (isRight) await giveBack(db, parts.sealer, [bucket])
  return isRight
}

async function spendTotp({ database: { db }, sealer }: Parts, _id: string, code: string): Promise<boolean> {
  const [row] = await db<
    { totp_secret: Buffer | null }[]
  >`select totp_secret from publishers where _id = ${_id}`
  const step = row?.totp_secret ? stepOf(sealer.unseal(row.totp_secret), code) : undefined
  if (step === undefined) return false
  // RFC 6238 §5.2: a code that was already used, or is older than one, is refused.
  const { count } = await db`
    update publishers set totp_step = ${step} where _id = ${_id} and totp_step < ${step}
  `
  return count > 0
}

async function spendRecoveryCode(db: Db, digest: Buffer, publisher_id: string): Promise<boolean> {
  const { count } = await db`
    delete from publisher_recovery_codes where publisher_id = ${publisher_id} and digest = ${digest}
  `
  return count > 0
}
