import { publishes } from '@zoetrope/contract'
import { standard } from '../../resources/standard.js'
import { deriving } from '../derived.js'
import { referringWrites } from '../references.js'

/** Hides the ad network's key from callers who do not act for the publisher. */
const withNetworkKey = deriving((tags, { principal }) =>
  tags.map(() => (publishes(principal.kind) ? {} : { network_key: null })),
)

export const adTagOperations = {
  ...referringWrites,
  list: withNetworkKey(standard.list),
  get: withNetworkKey(standard.get),
}
