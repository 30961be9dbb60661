import type { Principal } from '../auth/principals.js'
import type { Call, Run } from '../resources/feature.js'

export type Whom = (call: Call) => (principal: Principal) => boolean

/** What a credential may do, and whose it is, may have changed: the callers named are looked up anew, everyone if none is. */
export const thenForget =
  (run: Run, whom?: Whom): Run =>
  async (call: Call) => {
    const answer = await run(call)
    call.parts.principals.forget(whom?.(call))
    return answer
  }
