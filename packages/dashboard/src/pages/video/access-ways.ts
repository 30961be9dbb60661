import { inList } from '../../ui/numbers.js'
import { strings } from './strings.js'

/** The ways to get access to a video. Any one of them is enough. */
const wayNames = Object.keys(strings.access.viewers) as readonly AccessWay[]
export type AccessWay = keyof typeof strings.access.viewers

/** The ways that are turned on, saved or not. */
export const waysIn = (values: Readonly<Record<string, unknown>>): readonly AccessWay[] =>
  wayNames.filter((way) => values[way] === true)

/** Who can watch, in one sentence. */
export function whoCanWatch(values: Readonly<Record<string, unknown>>): string {
  const viewers = waysIn(values).map((way) => strings.access.viewers[way])
  if (viewers.length > 0) return strings.access.only(inList(viewers))
  return values.registration_required === true
    ? strings.access.only(strings.access.registered)
    : strings.access.all
}
