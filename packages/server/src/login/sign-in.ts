import { judge, type KnownConsumer, rememberAddress } from '../auth/sign-in.js'
import type { Db } from '../db/database.js'
import { tooMany } from '../errors.js'
import { checkAdmission } from './admission.js'
import type { LoginChannel } from './channel.js'
import { confirmFirst } from './confirm-email.js'
import { formText, type PageVisit, type Redirect, type ShownPage } from './page-visit.js'
import type { SignIn } from './pages/sign-in-page.js'

/** The error state of a sign-in page. */
export type Problem = Pick<SignIn, 'email' | 'error' | 'wrong'>

/** A place where viewers sign in. */
interface Entrance {
  readonly channel: LoginChannel
  readonly app_id: string
  page(problem: Problem): ShownPage
  /** Runs for an admitted viewer, in the transaction that checked admission. */
  enter(tx: Db, consumer: KnownConsumer): Promise<ShownPage | Redirect>
}

const wrongPassword = 'The e-mail address or the password is wrong.'

/** Checks e-mail address and password, with the limits of the token endpoint. */
export async function signIn(visit: PageVisit, entrance: Entrance): Promise<ShownPage | Redirect> {
  const { parts, ip } = visit
  const { channel, app_id } = entrance
  const email = formText(visit, 'email')
  const password = formText(visit, 'password')
  if (email === undefined || password === undefined)
    return again(entrance, 422, {
      email,
      error: 'Type your e-mail address and your password.',
      wrong: [
        ...(email === undefined ? ['email' as const] : []),
        ...(password === undefined ? ['password' as const] : []),
      ],
    })
  const verdict = await judge(parts, { site_id: channel.site_id, app_id, email, password, ip })
  if (verdict.kind === 'wait') {
    const { message, headers } = tooMany(verdict.seconds)
    return { ...again(entrance, 429, { email, error: message, wrong: [] }), headers }
  }
  if (verdict.kind === 'wrong') return again(entrance, 401, { email, error: wrongPassword })
  return (
    (await admitted(visit, entrance, verdict.consumer)) ??
    again(entrance, 401, { email, error: wrongPassword })
  )
}

const again = (entrance: Entrance, status: number, problem: Problem): ShownPage => ({
  ...entrance.page(problem),
  status,
})

/** Returns undefined if the password changed during the check. */
function admitted(
  { parts }: PageVisit,
  { channel, enter }: Entrance,
  consumer: KnownConsumer,
): Promise<ShownPage | Redirect | undefined> {
  const whom = { site_id: channel.site_id, consumer_id: consumer._id }
  return parts.database.transaction(async (tx) => {
    const admission = await checkAdmission(tx, whom, (hash) => hash === consumer.proof.password_hash)
    if (admission === 'changed') return undefined
    if (admission === 'unverified') return confirmFirst(parts, channel, consumer.email)
    await rememberAddress(tx, whom, consumer.proof.from)
    return enter(tx, consumer)
  })
}
