import { limits } from '@zoetrope/contract'
import { newFeedKey } from '../../auth/feed-keys.js'
import { reveal } from '../../resources/columns.js'
import type { Call, Run } from '../../resources/feature.js'
import { answer, standard } from '../../resources/standard.js'
import { insert } from '../../resources/store.js'
import { checkNumber } from '../check-number.js'
import { deriving } from '../derived.js'
import { checkReferences } from '../references.js'

const mostFeeds = limits.feeds.value
const mostKeys = limits.feed_keys.value

/** Creates a feed, after checking that its playlist exists. */
export async function createFeed(call: Call) {
  const { parts, resource, scope, body } = call
  await checkReferences(call)
  const record = await parts.database.transaction(async (tx) => {
    await checkNumber(tx, 'feeds', scope, mostFeeds, `A channel has at most ${mostFeeds} feeds.`)
    return insert(tx, resource, scope, body)
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
    await checkNumber(tx, 'feed_keys', scope, mostKeys, `A feed has at most ${mostKeys} keys.`)
    return insert(tx, resource, scope, values)
  })
  return answer(reveal(resource, sealer, record))
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
