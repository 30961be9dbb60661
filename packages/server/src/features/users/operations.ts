import type { Role } from '@zoetrope/contract'
import { invite, newInvitationToken, refuseMember } from '../../auth/invitations.js'
import { changeRole, removeMember } from '../../auth/memberships.js'
import { plainEmail } from '../../auth/sign-in.js'
import type { Db } from '../../db/database.js'
import { invalid, notFound } from '../../errors.js'
import { handOver } from '../../jobs/mail-invitation.job.js'
import type { Answer, Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { find } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { fill } from '../derived.js'

/** Our role for each role name that clients of hosted services send. */
const roleOf: Readonly<Record<string, Role>> = {
  owner: 'owner',
  admin: 'owner',
  editor: 'editor',
  content_manager: 'editor',
  viewer: 'viewer',
  finance_manager: 'viewer',
}

type SentUser = CallOf<'users', 'update'>['body']
type Person = Omit<SentUser, 'role'>

function readUser({ role, ...person }: SentUser): { person: Person; role: Role | undefined } {
  const email = person.email === undefined ? {} : { email: plainEmail(person.email) }
  return { person: { ...person, ...email }, role: role === undefined ? undefined : roleOf[role] }
}

async function recordOf(tx: Db, { resource, scope, id }: Call): Promise<Answer> {
  const record = await find(tx, resource, scope, id)
  if (!record) throw notFound(resource.name)
  return answer(record)
}

/**
 * Invites a person. The record is that of the invitation until they accept it: nobody gets an account that they have not asked
 * for, and the answer does not tell whether they have one.
 */
export async function createUser(call: CallOf<'users', 'create'>): Promise<Answer> {
  const { parts, scope } = call
  const { person, role = 'owner' } = readUser(call.body)
  return parts.database.transaction(async (tx) => {
    const invited = { ...person, email: person.email ?? '', site_id: scope.site_id, role }
    const { _id, token } = await invite(tx, parts.sealer, invited)
    const invitation_url = await handOver(tx, parts, { ...invited, _id, token })
    return fill(await recordOf(tx, { ...call, id: _id }), { invitation_url })
  })
}

/** Updates the role and the personal data. Members of several channels change their personal data themselves. */
export async function updateUser(call: CallOf<'users', 'update'>): Promise<Answer> {
  const { parts, scope, id } = call
  const { site_id } = scope
  const { person, role } = readUser(call.body)
  const changed = await parts.database.transaction(async (tx) => {
    const invited = await changeInvited(tx, call, { ...person, ...(role ? { role } : {}) })
    if (invited) return fill(await recordOf(tx, call), invited)
    if (role && !(await changeRole(tx, { site_id, publisher_id: id }, role))) throw notFound('user')
    if (Object.keys(person).length > 0) await changePerson(tx, site_id, id, person)
    return recordOf(tx, call)
  })
  parts.principals.forget(({ publisherId }) => publisherId === id)
  return changed
}

/**
 * Updates somebody who has not accepted the invitation yet. With another address they get another link: the holder of the old
 * one must not become its owner. Returns undefined if nobody is invited.
 */
async function changeInvited(tx: Db, { parts, scope, id }: Call, changes: SentUser) {
  const { site_id } = scope
  const [invited] = await tx<{ email: string }[]>`
    select email from invitations where site_id = ${site_id} and _id = ${id} and expires_at > now() for update
  `
  if (!invited) return undefined
  const save = (fields: object) => tx`
    update invitations set ${tx({ ...changes, ...fields, updated_at: new Date() } as { updated_at: Date })}
    where site_id = ${site_id} and _id = ${id}
  `
  const { email = invited.email } = changes
  if (email === invited.email) {
    await save({})
    return {}
  }
  await refuseMember(tx, site_id, email)
  await tx`delete from invitations where site_id = ${site_id} and email = ${email}`
  const token = newInvitationToken()
  await save({ digest: parts.sealer.digest(token) })
  return { invitation_url: await handOver(tx, parts, { site_id, _id: id, email, token }) }
}

async function changePerson(tx: Db, site_id: string, id: string, sent: Person): Promise<void> {
  const { email, ...person } = sent
  const [known] = await tx<{ email: string; isElsewhere: boolean }[]>`
    select email, exists (
      select from memberships where publisher_id = ${id} and site_id <> ${site_id}
    ) as "isElsewhere"
    from users where site_id = ${site_id} and _id = ${id}
  `
  if (!known) throw notFound('user')
  if (known.isElsewhere)
    throw invalid(
      'They belong to other channels too, so nobody but they may change this. Only role can be changed.',
    )
  // Whether another address is free would tell who has an account.
  if (email !== undefined && email !== known.email.toLowerCase())
    throw invalid(
      'Could not save user: they sign in with their address. Create a user with the other address, and remove this one.',
      { email: ['belongs to their account'] },
    )
  await tx`
    update publishers set ${tx({ ...person, updated_at: new Date() } as { updated_at: Date })} where _id = ${id}
  `
}

/** Removes a user from this channel. Returns the last state of the record. */
export async function removeUser(call: Call): Promise<Answer> {
  const { parts, scope, id } = call
  const removed = await parts.database.transaction(async (tx) => {
    const record = await recordOf(tx, call)
    const { count } = await tx`delete from invitations where site_id = ${scope.site_id} and _id = ${id}`
    if (count === 0) await removeMember(tx, { site_id: scope.site_id, publisher_id: id })
    return record
  })
  parts.principals.forget(({ publisherId }) => publisherId === id)
  return removed
}
