import type { Role } from '@zoetrope/contract'
import { invitationLink, invite } from '../../auth/invitations.js'
import { changeRole, removeMember } from '../../auth/memberships.js'
import { plainEmail } from '../../auth/sign-in.js'
import type { Db } from '../../db/database.js'
import { explaining } from '../../db/violation.js'
import { invalid, notFound } from '../../errors.js'
import { newId } from '../../lib/object-id.js'
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

/** Creates a publisher, who sets a password with the invitation link in the response. */
export async function createUser(call: CallOf<'users', 'create'>): Promise<Answer> {
  const { parts, scope } = call
  const { person, role = 'owner' } = readUser(call.body)
  const { site_id } = scope
  const _id = newId()
  const making = parts.database.transaction(async (tx) => {
    await tx`insert into publishers ${tx({ ...person, _id } as { _id: string })}`
    await tx`insert into memberships ${tx({ publisher_id: _id, site_id, role })}`
    const { token } = await invite(tx, parts.sealer, { site_id, email: person.email ?? '', role })
    const link = invitationLink(parts.apiUrl, token)
    return fill(await recordOf(tx, { ...call, id: _id }), { invitation_url: link })
  })
  return whereEmailIsFree(making)
}

/** Updates the role and the personal data. Members of several channels change their personal data themselves. */
export async function updateUser(call: CallOf<'users', 'update'>): Promise<Answer> {
  const { parts, scope, id } = call
  const { site_id } = scope
  const { person, role } = readUser(call.body)
  const changing = parts.database.transaction(async (tx) => {
    if (role && !(await changeRole(tx, { site_id, publisher_id: id }, role))) throw notFound('user')
    if (Object.keys(person).length > 0) await changePerson(tx, site_id, id, person)
    return recordOf(tx, call)
  })
  const changed = await whereEmailIsFree(changing)
  parts.principals.forget(({ publisherId }) => publisherId === id)
  return changed
}

async function changePerson(tx: Db, site_id: string, id: string, person: Person): Promise<void> {
  const [elsewhere] = await tx`
    select from memberships where publisher_id = ${id} and site_id <> ${site_id} limit 1
  `
  if (elsewhere)
    throw invalid(
      'They belong to other channels too, so nobody but they may change this. Only role can be changed.',
    )
  if (person.email) {
    const [identity] = await tx`select from publisher_identities where publisher_id = ${id} limit 1`
    if (identity)
      throw invalid('They sign in with an identity provider, so their address cannot be changed here.', {
        email: ['belongs to their account at the identity provider'],
      })
    await tx`delete from sign_in_links where publisher_id = ${id}`
    await tx`
      update invitations set email = ${person.email} where site_id = ${site_id}
        and email = (select email from users where users.site_id = ${site_id} and _id = ${id})
    `
  }
  await tx`
    update publishers set ${tx({ ...person, updated_at: new Date() } as { updated_at: Date })}
    where _id = (select publisher_id from memberships where site_id = ${site_id} and publisher_id = ${id})
  `
}

/** Removes a user from this channel. Returns the last state of the record. */
export async function removeUser(call: Call): Promise<Answer> {
  const { parts, scope, id } = call
  const removed = await parts.database.transaction(async (tx) => {
    const record = await recordOf(tx, call)
    await removeMember(tx, { site_id: scope.site_id, publisher_id: id })
    return record
  })
  parts.principals.forget(({ publisherId }) => publisherId === id)
  return removed
}

const whereEmailIsFree = <T>(write: Promise<T>): Promise<T> =>
  explaining(write, 'unique', () =>
    invalid(
      'Could not save user: this address has an account already. Invite them by link in the dashboard; then they join by themselves.',
      { email: ['has an account already'] },
    ),
  )
