import { keyScopes, limits } from '@zoetrope/contract'
import { newNamedKey } from '../auth/named-keys.js'
import { violatedIndex } from '../db/violation.js'
import { couldNotSave } from '../errors.js'
import { isNetwork } from '../lib/networks.js'
import type { Run } from '../resources/feature.js'
import { answer, standard } from '../resources/standard.js'
import { insert } from '../resources/store.js'
import type { CallOf } from './call-of.js'
import { checkNumber } from './check-number.js'
import { fill } from './derived.js'

const most = limits.keys.value
const tooManyKeys = `A channel has at most ${most} named keys. Remove one that is no longer used first.`

type KeyBody = CallOf<'keys', 'create' | 'update'>['body']

/** Creates a named key. Only this response contains it: the database stores a digest. */
export async function createNamedKey({ parts, resource, scope, body }: CallOf<'keys', 'create'>) {
  const values = checked(body)
  const key = newNamedKey()
  const secret = { digest: parts.sealer.digest(key), last_four: key.slice(-4) }
  const making = parts.database.transaction(async (tx) => {
    await checkNumber(tx, 'named_keys', scope, most, tooManyKeys)
    return insert(tx, resource, scope, { ...values, ...secret })
  })
  return fill(answer(await making.catch(explainName)), { key })
}

export const updateNamedKey: Run<KeyBody> = async (call) =>
  standard.update({ ...call, body: checked(call.body) }).catch(explainName)

function checked(body: KeyBody) {
  const { scopes, expires_at, allowed_networks } = body
  if (expires_at && new Date(expires_at).getTime() <= Date.now())
    throw couldNotSave('named key', 'expires_at', 'must be in the future')
  const wrong = allowed_networks?.find((network) => !isNetwork(network))
  if (wrong !== undefined)
    throw couldNotSave(
      'named key',
      'allowed_networks',
      `has ${wrong}, which is neither an address nor a network`,
    )
  return scopes ? { ...body, scopes: checkedScopes(scopes) } : body
}

function checkedScopes(scopes: readonly string[]): readonly string[] {
  if (scopes.length === 0) throw couldNotSave('named key', 'scopes', 'must have at least one')
  const known = keyScopes()
  const unknown = scopes.find((scope) => !known.includes(scope))
  if (unknown === undefined) return [...new Set(scopes)]
  const [name = ''] = unknown.split(':')
  const near = known.filter((scope) => scope.startsWith(`${name}:`))
  const others = near.length > 0 ? `. The scopes of ${name} are ${near.join(' and ')}` : ''
  throw couldNotSave('named key', 'scopes', `has ${unknown}, which is not a scope${others}`)
}

function explainName(error: unknown): never {
  if (violatedIndex(error) !== 'named_keys_by_name') throw error
  throw couldNotSave('named key', 'name', 'is the name of another key')
}
