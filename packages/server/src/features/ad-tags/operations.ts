import { publishes } from '@zoetrope/contract'
import { deriving } from '../../resources/derived.js'
import { standard } from '../../resources/standard.js'
import { referringWrites } from '../references.js'

/** Ad tags as they are for the publisher; others, who take the tag from here, do not learn the key at the network. */
const withNetworkKey = deriving((tags, { principal }) =>
  tags.map(() => (publishes(principal.kind) ? {} : { network_key: null })),
)

export const adTagOperations = {
  ...referringWrites,
  list: withNetworkKey(standard.list),
  get: withNetworkKey(standard.get),
}
