import type { Principal } from '../auth/principals.js'
import type { Body, Call, Run } from '../resources/feature.js'

type Whom = (call: Call) => (principal: Principal) => boolean

/** Wraps an operation that may change permissions: evicts the cached principals that `whom` matches, or all. */
export const thenForget =
  <B extends Body>(run: Run<B>, whom?: Whom): Run<B> =>
  async (call) => {
    const answer = await run(call)
    call.parts.principals.forget(whom?.(call))
    return answer
  }

export const thisConsumer: Whom =
  ({ id }) =>
  (principal) =>
    principal.consumerId === id
export const itsConsumer: Whom =
  ({ scope }) =>
  (principal) =>
    principal.consumerId === scope.consumer_id
export const thisSession: Whom =
  ({ id }) =>
  (principal) =>
    principal.sessionId === id

export const thisKey: Whom =
  ({ id }) =>
  (principal) =>
    principal.keyId === id

export const thisUploadToken: Whom =
  ({ id }) =>
  (principal) =>
    principal.uploadTokenId === id
