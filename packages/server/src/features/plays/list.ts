import { invalid } from '../../errors.js'
import type { Call, Run } from '../../resources/feature.js'
import { standard } from '../../resources/standard.js'
import { deriving } from '../derived.js'

/** Adds the titles of their videos to plays. */
export const withTitles = deriving(async (plays, { parts, scope }) => {
  const ids = [...new Set(plays.map(({ video_id }) => String(video_id)))]
  const videos = await parts.database.db<{ _id: string; title: string }[]>`
    select _id, title from videos where site_id = ${scope.site_id} and _id = any(${ids})
  `
  const titles = new Map(videos.map(({ _id, title }) => [_id, title]))
  return plays.map(({ video_id }) => ({ video_title: titles.get(String(video_id)) ?? null }))
})

const spans = { from: 'date.gte', to: 'date.lte' } as const

/** Accepts `from` and `to` as aliases of `date.gte` and `date.lte`. */
const within =
  (run: Run): Run =>
  (call: Call) => {
    const query: Record<string, unknown> = { ...call.query }
    for (const [word, name] of Object.entries(spans)) {
      const given = query[word]
      if (given === undefined || given === '') continue
      if (typeof given !== 'string')
        throw invalid(`${word} takes one value.`, { [word]: ['takes one value'] })
      query[name] ??= given
    }
    return run({ ...call, query })
  }

export const listPlays = within(withTitles(standard.list))
