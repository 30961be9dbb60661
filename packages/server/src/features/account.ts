import { invalid } from '../errors.js'
import { storageUse } from '../films/quota.js'
import type { Body, Run } from '../resources/feature.js'
import { fill } from './derived.js'

/** Adds the channel's storage use and storage limit to the account. */
export const withStorage =
  <B>(run: Run<B>): Run<B> =>
  async (call) => {
    const answer = await run(call)
    const { database, files } = call.parts
    const { used, limit } = await storageUse(database.db, files, call.scope.site_id)
    return answer && fill(answer, { storage_bytes: used, storage_limit_bytes: limit ?? null })
  }

/** Trims the channel's title, because publishers must type it to delete the channel. */
export const withPlainTitle =
  <B extends Body>(run: Run<B>): Run<B> =>
  async (call) => {
    if (call.body.title === undefined) return run(call)
    const title = String(call.body.title).trim()
    if (title === '') throw invalid('A channel has a title.', { title: ['must not be empty'] })
    return run({ ...call, body: { ...call.body, title } })
  }
