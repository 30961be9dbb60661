import { storageUse } from '../../films/quota.js'
import { fill } from '../../resources/derived.js'
import type { Run } from '../../resources/feature.js'

/** Adds the channel's storage use and storage limit to the account. */
export const withStorage =
  <B>(run: Run<B>): Run<B> =>
  async (call) => {
    const answer = await run(call)
    const { database, files } = call.parts
    const { used, limit } = await storageUse(database.db, files, call.scope.site_id)
    return answer && fill(answer, { storage_bytes: used, storage_limit_bytes: limit ?? null })
  }
