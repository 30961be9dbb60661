import { same, shownAs, type Values } from '../resource-form/values.js'

/** A field that two people have changed to different values. */
export interface Clash {
  readonly name: string
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
}

type Item = Readonly<Record<string, unknown>>

/** The items of a list after changes to some of them. */
function withChanges(items: readonly Item[], changes: readonly Item[]): readonly Item[] {
  const changed = items.flatMap((item) => {
    const change = changes.find(({ id }) => id !== undefined && id === item._id)
    return change?._destroy ? [] : [{ ...item, ...change }]
  })
  return [...changed, ...changes.filter(({ id }) => id === undefined)]
}

/** The value that a field would have after a change. */
const outcome = (name: string, base: unknown, change: unknown): unknown =>
  shownAs(name) !== name && Array.isArray(base) && Array.isArray(change) ? withChanges(base, change) : change

/**
 * The fields that both have changed: I since `base`, and somebody else, who has saved `theirs`. Fields that only one of us
 * has changed merge by themselves, because a form sends only its own changes.
 */
export const clashesOf = (base: Values, changes: Values, theirs: Values): readonly Clash[] =>
  Object.entries(changes)
    .map(([name, change]) => ({
      name,
      base: base[name],
      mine: outcome(name, base[name], change),
      theirs: theirs[name],
    }))
    .filter(({ base: was, mine, theirs: now }) => was !== undefined && !same(was, now) && !same(mine, now))
