import { invalid } from '../../errors.js'
import type { Body, Run } from '../../resources/feature.js'

/** Trims the channel's title, because publishers must type it to delete the channel. */
export const withPlainTitle =
  <B extends Body>(run: Run<B>): Run<B> =>
  async (call) => {
    if (call.body.title === undefined) return run(call)
    const title = String(call.body.title).trim()
    if (title === '') throw invalid('A channel has a title.', { title: ['must not be empty'] })
    return run({ ...call, body: { ...call.body, title } })
  }
