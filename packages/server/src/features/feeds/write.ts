import { limits } from '@zoetrope/contract'
import { newFeedKey } from '../../auth/feed-keys.js'
import type { Db } from '../../db/database.js'
import { invalid } from '../../errors.js'
import { reveal } from '../../resources/columns.js'
import type { Call, Run } from '../../resources/feature.js'
import { answer, standard } from '../../resources/standard.js'
import { insert } from '../../resources/store.js'
import { deriving } from '../derived.js'
import { checkReferences } from '../references.js'

/** Creates a feed, after checking that its playlist exists. */
export async function createFeed(call: Call) {
  const { parts, resource, scope, body } = call
  await checkReferences(call)
  const record = await parts.database.transaction(async (tx) => {
    const made = await insert(tx, resource, scope, body)
    await checkNumber(tx, call, limits.feeds.value, 'A channel has at most', 'feeds')
    return made
  })
  return answer(record)
}

export async function updateFeed(call: Call) {
  await checkReferences(call)
  return standard.update(call)
}

/** Stores the key's digest to verify it, and the encrypted key to show it. */
async function createPlainKey(call: Call) {
  const { parts, resource, scope, body } = call
  const { sealer } = parts
  const key = newFeedKey()
  const record = await parts.database.transaction(async (tx) => {
    const values = { ...body, key: sealer.seal(key), digest: sealer.digest(key) }
    const made = await insert(tx, resource, scope, values)
    await checkNumber(tx, call, limits.feed_keys.value, 'A feed has at most', 'keys')
    return made
  })
  return answer(reveal(resource, sealer, record))
}

async function checkNumber(tx: Db, { resource, scope }: Call, most: number, said: string, what: string) {
  const { site_id, feed_id = null } = scope
  const [row] = await tx<{ number: number }[]>`
    select count(*)::int as number from ${tx(resource.plural)}
    where site_id = ${site_id} ${feed_id === null ? tx`` : tx`and feed_id = ${feed_id}`}
  `
  if ((row?.number ?? 0) > most) throw invalid(`${said} ${most} ${what}.`)
}

/** Adds the feed URLs to keys. */
const withAddresses: (run: Run) => Run = deriving((keys, { parts }) =>
  keys.map(({ feed_id, key }) => {
    const address = (form: string) => `${parts.apiUrl}/feeds/${feed_id}/${form}?feed_key=${key}`
    return { mrss_url: address('mrss'), rss_url: address('rss'), json_url: address('json') }
  }),
)

export const listKeys = withAddresses(standard.list)
export const getKey = withAddresses(standard.get)
export const createKey = withAddresses(createPlainKey)
