import type { Body, Run } from '../resources/feature.js'

type PrincipalId = 'consumerId' | 'sessionId' | 'keyId' | 'uploadTokenId'

/**
 * Wraps an operation that may change permissions: evicts all cached principals, or only those that have the id of the
 * record. `ofParent` names a column instead: those that have the id of the record that this one is in.
 */
export const thenForget =
  <B extends Body>(run: Run<B>, name?: PrincipalId, ofParent?: 'consumer_id'): Run<B> =>
  async (call) => {
    const answer = await run(call)
    const id = ofParent ? call.scope[ofParent] : call.id
    call.parts.principals.forget(name && ((principal) => principal[name] === id))
    return answer
  }
