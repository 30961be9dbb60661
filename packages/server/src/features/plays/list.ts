import { invalidParameter } from '../../errors.js'
import type { Call, Run } from '../../resources/feature.js'
import { standard } from '../../resources/standard.js'
import { withTitlesOf } from '../entitlements.js'

export const withTitles = withTitlesOf('video')

const spans = { from: 'date.gte', to: 'date.lte' } as const

/** Accepts `from` and `to` as aliases of `date.gte` and `date.lte`. */
const within =
  (run: Run): Run =>
  (call: Call) => {
    const query: Record<string, unknown> = { ...call.query }
    for (const [word, name] of Object.entries(spans)) {
      const given = query[word]
      if (given === undefined || given === '') continue
      if (typeof given !== 'string') throw invalidParameter(word, 'takes one value')
      query[name] ??= given
    }
    return run({ ...call, query })
  }

export const listPlays = within(withTitles(standard.list))
